import type { AllowListEntry, ListFile } from "./types.ts";

interface Key {
  readonly name?: string;
  readonly xuid?: string;
}

/** The game's allowlist, with a delay until a change can be read back. */
export class AllowList {
  enabled: boolean;
  /** Ticks until a change can be read back. */
  delayTicks: number;
  /** Set to make the next changes fail with this message. */
  failure: string | undefined;
  /** how often the script has read the whole list */
  reads = 0;
  #entries: AllowListEntry[];
  #seen: readonly AllowListEntry[];
  #seenAt: { readonly tick: number; readonly entries: readonly AllowListEntry[] }[] = [];
  #tick = 0;
  readonly #file: ListFile | undefined;

  constructor(enabled: boolean, entries: readonly AllowListEntry[], delayTicks: number, file?: ListFile) {
    this.enabled = enabled;
    this.delayTicks = delayTicks;
    this.#file = file;
    this.#entries = [...entries];
    this.#seen = [...entries];
  }

  /** The entries, including those that cannot be read back yet. */
  get entries(): readonly AllowListEntry[] {
    return this.#entries;
  }

  /** The entries that can be read back. */
  get shown(): readonly AllowListEntry[] {
    return this.#seen;
  }

  /** Names on the list. */
  get names(): string[] {
    return this.#entries.flatMap(({ name }) => (name === undefined ? [] : [name]));
  }

  advance(): void {
    this.#tick++;
    while (this.#seenAt[0] && this.#seenAt[0].tick <= this.#tick) {
      this.#seen = this.#seenAt.shift()?.entries ?? [];
    }
  }

  /** Whether a player of this name may join. Fills in the xuid of a listed name, as the game does. */
  admits(name: string, xuid: string): boolean {
    const listed = this.#entries.some(entry => matches(entry, { name, xuid }));
    if (listed) this.#change(this.#entries.map(entry => (entry.name === name ? { ...entry, xuid } : entry)));
    return listed || !this.enabled;
  }

  /** Adds an entry from outside the script, as the console command does. @returns whether it is new */
  put(key: Key): boolean {
    if (this.#entries.some(entry => matches(entry, key))) return false;
    this.#change([...this.#entries, { ...key, ignoresPlayerLimit: false }]);
    return true;
  }

  /** Reads the list again from its file. */
  reload(): void {
    if (this.#file) this.#show([...this.#file.read()]);
  }

  /** Removes an entry from outside the script. @returns whether it existed */
  drop(key: Key): boolean {
    const rest = this.#entries.filter(entry => !matches(entry, key));
    const isThere = rest.length < this.#entries.length;
    if (isThere) this.#change(rest);
    return isThere;
  }

  /** One operation of the script. `json` is {name?, xuid?} if the operation needs it. */
  operate(operation: string, json: string): string {
    const key: Key = json === "" ? {} : JSON.parse(json);
    switch (operation) {
      case "enabled":
        return value(this.enabled);
      case "enable":
      case "disable":
        this.enabled = operation === "enable";
        return value(true);
      case "entries":
        this.reads++;
        return value(this.#seen);
      case "contains":
        return value(this.#seen.some(entry => matches(entry, key)));
      case "add":
        if (this.failure !== undefined) return modificationError(this.failure);
        return this.put(key) ? value(true) : modificationError("The player is on the allow list already.");
      case "remove": {
        if (this.failure !== undefined) return modificationError(this.failure);
        return this.drop(key) ? value(true) : modificationError("The player is not on the allow list.");
      }
      case "clear":
        this.#change([]);
        return value(true);
      case "reloadFile":
        this.reload();
        return value(true);
      default:
        throw new Error(`unknown allow list operation ${operation}`);
    }
  }

  #change(entries: AllowListEntry[]): void {
    this.#show(entries);
    this.#file?.write(entries);
  }

  #show(entries: AllowListEntry[]): void {
    this.#entries = entries;
    if (this.delayTicks === 0) this.#seen = entries;
    else this.#seenAt.push({ tick: this.#tick + this.delayTicks, entries });
  }
}

function matches(entry: AllowListEntry, { name, xuid }: Key): boolean {
  if (xuid !== undefined && entry.xuid !== undefined) return entry.xuid === xuid;
  return name !== undefined && entry.name === name;
}

function value(of: unknown): string {
  return JSON.stringify({ value: of });
}

function modificationError(message: string): string {
  return JSON.stringify({ error: { name: "AllowListModificationError", message } });
}

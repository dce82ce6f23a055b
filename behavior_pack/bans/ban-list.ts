import { type BanChange, banChange, beats, ends, entryKey } from "../../shared/bans.ts";
import type { BansAnswer } from "../../shared/frames.ts";
import { check, checkJson, count, list, object, optional, text } from "../../shared/guard.ts";
import { BANS_PART, ID_LENGTH } from "../../shared/limits.ts";
import { folded, renamed } from "../../shared/names.ts";
import type { BansFrame } from "../../shared/requests.ts";
import { errorName, type Notices } from "../notices.ts";
import type { Clock, Store } from "../ports.ts";

const KEY = "web_bridge:bans";

/**
 * Values of the world that hold the list. An entry is in the one that its key says. With as many bans as there may be, none comes
 * near the 32,767 bytes that a text may have.
 */
const PARTS = 512;

interface Entry {
  readonly change: BanChange;
  /** whether the sidecar has been told of it, or has told of it */
  isTold: boolean;
}

const stored = object({
  /** which list of the sidecar this is a copy of, and up to which number */
  list: optional(text(ID_LENGTH, 1)),
  after: count,
  /** the first part of which that list was not told, but maybe another one */
  again: count,
  /** the latest `at` that the sidecar has told of, or that had to be after it */
  latest: optional(count),
});
function partOf(key: string): number {
  let sum = 0;
  for (let i = 0; i < key.length; i++) sum = (sum * 31 + key.charCodeAt(i)) % PARTS;
  return sum;
}

const FIELDS = [
  "name",
  "persistentId",
  "at",
  "until",
  "reason",
  "by",
  "everywhere",
  "lifted",
  "again",
  "names",
] as const;

const rows = list(
  list<unknown>(() => undefined, 1 + FIELDS.length),
  Infinity,
);

/** As short as it can be, since there may be ten thousand of them: what is not there is 0, or left out at the end. */
const encode = ({ change, isTold }: Entry): string =>
  JSON.stringify([+isTold, ...FIELDS.map(field => change[field] || 0)]).replace(/(,0)+]$/, "]");

function decode([isTold, ...values]: unknown[]): Entry | undefined {
  const change: Record<string, unknown> = {};
  for (let i = 0; i < FIELDS.length; i++) if (values[i]) change[FIELDS[i] as string] = values[i];
  const read = check(banChange, change);
  return "value" in read ? { change: read.value, isTold: isTold === 1 } : undefined;
}

type Part = Map<string, Entry>;

const endOf = ({ until = Infinity }: BanChange): number => until;

/** The first of those bans that hold for longest. */
export const longest = (bans: readonly BanChange[]): BanChange | undefined =>
  // Of two for good neither is longer, which as a difference is no number.
  [...bans].sort((one, other) => endOf(other) - endOf(one) || 0)[0];

/** The bans that hold in this world, and changes of them that the sidecar has not been told of. All of it is in its properties, too. */
export function createBanList(clock: Clock, store: Store, notices: Notices) {
  const parts: readonly Part[] = Array.from({ length: PARTS }, () => new Map<string, Entry>());
  const dirty = new Set<Part>();
  // Of what the sidecar does not know, in the order in which it came about.
  const untold = new Set<Entry>();
  // What it is being told, until it has answered.
  let asked: Entry[] = [];
  let isLoaded = false;
  let head: { list?: string; after: number; again: number; latest?: number } = { after: 0, again: PARTS };
  let isHeadDirty = false;
  let size = 0;

  const holds = (change: BanChange): boolean => !change.lifted && endOf(change) > clock.now();
  const partFor = (key: string): Part => parts[partOf(key)] as Part;
  const get = (key: string): BanChange | undefined => partFor(key).get(key)?.change;
  const bans = (): BanChange[] =>
    parts.flatMap(part => [...part.values()].map(({ change }) => change)).filter(holds);

  function setHead(next: Partial<typeof head>): void {
    head = { ...head, ...next };
    isHeadDirty = true;
  }

  function remove(key: string, part = partFor(key)): void {
    const entry = part.get(key);
    if (entry === undefined) return;
    untold.delete(entry);
    part.delete(key);
    dirty.add(part);
    size--;
  }

  function hold(entry: Entry, key = entryKey(entry.change), part = partFor(key)): void {
    remove(key, part);
    part.set(key, entry);
    dirty.add(part);
    size++;
    if (!entry.isTold) untold.add(entry);
  }

  /** Throws where the world cannot be read. */
  function load(): void {
    const texts = parts.map((_, part) => store.read(`${KEY}:${part}`) ?? "[]");
    const read = checkJson(stored, String(store.read(KEY) ?? JSON.stringify(head)));
    isLoaded = true;
    let isDamaged = "fault" in read;
    if ("value" in read) head = read.value;
    const moved = new Set<Part>();
    for (const [i, text] of texts.entries()) {
      const part = checkJson(rows, String(text));
      for (const row of "value" in part ? part.value : [[]]) {
        const entry = decode(row);
        const key = entry && entryKey(entry.change);
        if (key === undefined) isDamaged = true;
        // Names were compared otherwise when it was stored.
        else if (partOf(key) !== i) for (const at of [i, partOf(key)]) moved.add(parts[at] as Part);
        if (entry === undefined || key === undefined || (entry.isTold && !holds(entry.change))) continue;
        const held = get(key);
        if (held === undefined || !beats(held, entry.change)) hold(entry, key);
      }
    }
    dirty.clear();
    for (const part of moved) dirty.add(part);
    if (!isDamaged) return;
    notices.once("bans:parse", "some of the stored bans cannot be read; the sidecar is asked for them");
    setHead({ after: 0 });
  }

  /** Writes one value, that which speaks of all others last. */
  function write(): void {
    const [part] = dirty;
    if (part !== undefined) {
      store.write(`${KEY}:${parts.indexOf(part)}`, `[${[...part.values()].map(encode).join(",")}]`);
      dirty.delete(part);
    } else if (isHeadDirty) {
      store.write(KEY, JSON.stringify(head));
      isHeadDirty = false;
    }
  }

  function make(change: BanChange): void {
    const { name, everywhere = false } = change;
    const byName = get(entryKey({ name, everywhere }));
    if (byName !== undefined && ends(change, byName)) remove(entryKey(byName));
    hold({ change, isTold: false });
  }

  function acknowledge(): void {
    for (const entry of asked) {
      // What has changed since is untold still.
      if (!untold.delete(entry)) continue;
      entry.isTold = true;
      const key = entryKey(entry.change);
      const part = partFor(key);
      if (entry.change.lifted) remove(key, part);
      dirty.add(part);
    }
    asked = [];
  }

  function take(change: BanChange): void {
    if (change.at > (head.latest ?? 0)) setHead({ latest: change.at });
    const key = entryKey(change);
    const part = partFor(key);
    const held = part.get(key);
    if (held?.isTold === false && !beats(change, held.change)) return;
    if (holds(change)) hold({ change, isTold: true }, key, part);
    else remove(key, part);
  }

  return {
    /** Whether the world has been read: before that nobody is banned. */
    load(): boolean {
      try {
        if (!isLoaded) load();
      } catch (error) {
        notices.once("bans:read", `the list of bans cannot be loaded yet (${errorName(error)})`);
      }
      return isLoaded;
    },
    /** How many bans hold. */
    count: (): number => bans().length,
    /** How many changes there are that the sidecar has not been told of. */
    untold: (): number => (head.again < PARTS ? size : untold.size),
    /**
     * The bans that hold for a player, one of this server and one of all, each the longer of that by `persistentId` and that by name;
     * `persistentId` is empty where the game has none.
     */
    find(name: string, persistentId: string): BanChange[] {
      if (size === 0) return [];
      const who = persistentId === "" ? [{ name }] : [{ name, persistentId }, { name }];
      return [false, true].flatMap(everywhere => {
        const held = who.flatMap(each => get(entryKey({ ...each, everywhere })) ?? []);
        return longest(held.filter(holds)) ?? [];
      });
    },
    /** The bans that hold by folded name: `now` the newest of the player, `before` an earlier one. All of them are gone through. */
    names(): Record<"now" | "before", Map<string, BanChange[]>> {
      const found = { now: new Map<string, BanChange[]>(), before: new Map<string, BanChange[]>() };
      const add = (when: "now" | "before", name: string, ban: BanChange): void => {
        const key = folded(name);
        found[when].set(key, [...(found[when].get(key) ?? []), ban]);
      };
      for (const ban of bans()) {
        add("now", ban.name, ban);
        for (const name of ban.names ?? []) add("before", name, ban);
      }
      return found;
    },
    /** When a decision of now counts, which is after all that this world has heard of: clocks differ. */
    moment(): number {
      const at = Math.max(clock.now(), (head.latest ?? 0) + 1);
      if (at > clock.now()) setHead({ latest: at });
      return at;
    },
    /** Takes over a change that was made here. */
    make,
    /** Says who has the name of a ban. */
    bind(ban: BanChange, persistentId: string) {
      const key = entryKey(ban);
      make({ ...ban, persistentId, again: ban.again || partFor(key).get(key)?.isTold === true });
    },
    /** Says which name a player has now who is banned. */
    rename(ban: BanChange, name: string) {
      const key = entryKey(ban);
      const held = partFor(key).get(key);
      // What is being told may be there already.
      const isTold = held === undefined || held.isTold || asked.includes(held);
      make({ ...renamed(ban, name), again: ban.again === true && !isTold });
    },
    /** What the sidecar is to be told and asked. */
    ask(): Omit<BansFrame, "session"> {
      for (; untold.size === 0 && head.again < PARTS; setHead({ again: head.again + 1 }))
        for (const { change } of [...(parts[head.again]?.values() ?? [])])
          hold({ change: { ...change, again: true }, isTold: false });
      if (asked.length === 0) asked = [...untold].slice(0, BANS_PART);
      const { list, after } = head;
      return { ...(list && { list }), after, changes: asked.map(({ change }) => change) };
    },
    /** It has answered. A list that is another one, or has gone back, is asked for anew and told of all that the world knows. */
    answered({ list, upTo, changes }: BansAnswer) {
      if (list !== head.list || upTo < head.after) {
        asked = [];
        setHead({ list, after: 0, again: 0 });
        return;
      }
      acknowledge();
      for (const change of changes) take(change);
      if (upTo > head.after) setHead({ after: upTo });
    },
    /** Stores a little of what has changed. To be called every tick. */
    step: write,
    /** Stores everything. */
    saveAll() {
      while (isHeadDirty || dirty.size > 0) write();
    },
  };
}

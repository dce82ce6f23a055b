import { createHash } from "node:crypto";
import { AllowList } from "./allowlist.ts";
import { Bounded } from "./bounded.ts";
import { asRead } from "./client.ts";
import type { ActResult, FormSettlement, Input, KickMoment, TickInput } from "./guest/host.ts";
import { Player, type PlayerWorld, type Position } from "./player.ts";
import type { Quirks } from "./quirks.ts";
import type { ConsoleReport, ListFile, PlayerIdentity, SavedWorld } from "./types.ts";

const CHAT_LINES = 1000;
/** `CommandPermissionLevel` of the console, and the one below. */
const OWNER = 4;
const HOST = 3;
const FIRST_PLAYER_ID = -4294967296;

interface ChatLine {
  readonly tick: number;
  /** Name of the only player who saw it; undefined if everyone did. */
  readonly to?: string;
  readonly text: string;
}

interface JoinOptions {
  readonly position?: Position;
  /** For a player new to this world; later joins keep the first one. */
  readonly persistentId?: string;
  /** A simulated player of this pack, or of another one, which this pack sees as `undefined`. */
  readonly simulated?: "here" | "elsewhere";
  /** Like other packs' fake players: true makes every read throw, a list only reads of these members. */
  readonly broken?: boolean | readonly string[];
  /** Another pack kicks the player as they spawn: before or after this pack's handler. */
  readonly kicked?: KickMoment;
}

interface WorldSettings {
  readonly spawnDelayTicks: number;
  readonly allowListDelayTicks: number;
  readonly allowListFile: ListFile | undefined;
  readonly happened: ConsoleReport;
  readonly quirks: Quirks;
}

/** The simulated world: its players, their actions since the last tick, and saved data. */
export class World implements PlayerWorld {
  tick: number;
  readonly allowList: AllowList;
  readonly dynamicProperties: Map<string, unknown>;
  /** Chat messages, newest last, at most 1000. */
  readonly chat: readonly ChatLine[];
  readonly #chat = new Bounded<ChatLine>(CHAT_LINES);
  readonly #identities: Map<string, PlayerIdentity>;
  readonly #online = new Map<string, Player>();
  readonly #settings: WorldSettings;
  #inputs: Input[] = [];
  #changed = new Set<Player>();
  #settlements: FormSettlement[] = [];
  #spawning: { readonly player: Player; readonly at: number; readonly kicked: KickMoment | undefined }[] = [];
  #entities = 0;

  constructor(saved: SavedWorld | undefined, settings: WorldSettings) {
    this.#settings = settings;
    this.tick = saved?.tick ?? 0;
    this.chat = this.#chat.items;
    this.dynamicProperties = new Map(Object.entries(saved?.dynamicProperties ?? {}));
    this.#identities = new Map(Object.entries(saved?.players ?? {}));
    const { enabled = false, entries = [] } = saved?.allowList ?? {};
    this.allowList = new AllowList(enabled, entries, settings.allowListDelayTicks, settings.allowListFile);
  }

  /** Players online, in the order they joined. */
  get players(): Player[] {
    return [...this.#online.values()];
  }

  /** An online player by exact name. @throws if no such player is online */
  player(name: string): Player {
    const found = this.find(name);
    if (!found) throw new Error(`${name} is not online`);
    return found;
  }

  /** An online player by exact name. */
  find(name: string): Player | undefined {
    for (const player of this.#online.values()) if (player.name === name) return player;
    return undefined;
  }

  byId(id: string): Player | undefined {
    return this.#online.get(id);
  }

  /**
   * Lets a player join: playerJoin in the next tick, playerSpawn a few ticks later.
   * @throws if the player is already online, or not on an enabled allowlist
   */
  join(name: string, options: JoinOptions = {}): Player {
    if (this.find(name)) throw new Error(`${name} is online already`);
    const identity = this.#identity(name, options.persistentId);
    const { position = { x: 0, y: 64, z: 0 }, simulated } = options;
    if (simulated !== "here" && !this.allowList.admits(name, identity.xuid))
      throw new Error(`${name} is not on the allow list`);
    const player = new Player(
      this,
      name,
      simulated ? { ...identity, xuid: "" } : identity,
      position,
      simulated,
    );
    if (options.broken !== undefined) player.broken = options.broken;
    this.#online.set(player.id, player);
    this.#settings.happened("connected", player);
    this.input({ is: "join", player: player.state });
    const at = this.tick + 1 + this.#settings.spawnDelayTicks;
    this.#spawning.push({ player, at, kicked: options.kicked });
    return player;
  }

  leave(player: Player): void {
    this.#remove(player);
    this.#spawning = this.#spawning.filter(one => one.player !== player);
    this.input({ is: "leave", id: player.id });
    if (player.form) this.settle({ id: player.form.id, rejected: "PlayerQuit" });
    player.form = undefined;
  }

  /** Rejects a joining player for a script, before they are in the world. */
  refuse(player: Player, reason: string | undefined): ActResult {
    this.#remove(player);
    this.#spawning = this.#spawning.filter(one => one.player !== player);
    player.removal = { reason: reason === undefined ? undefined : asRead(reason) };
    return { done: true };
  }

  /** Kicks a player for a script, unless the quirks of this game prevent it. */
  kick(player: Player, reason: string | undefined): ActResult {
    const { kicks } = this.#settings.quirks;
    if (kicks === "refused") return { done: false, error: "The player cannot be kicked." };
    if (kicks === "ignored") return { done: true };
    player.removal = { reason: reason === undefined ? undefined : asRead(reason) };
    player.leave();
    return { done: true };
  }

  /** A mob dies, killed by a player or by nothing. */
  mobDies(typeId: string, by?: Player): void {
    const dead = { id: this.newEntityId(), typeId };
    const killer = by ? { by: by.id } : {};
    this.input({ is: "die", dead, cause: by ? "entityAttack" : "fall", ...killer });
  }

  /** Runs a command in the server console. Its output is in the content log. */
  command(line: string): void {
    const permissionLevel = this.#settings.quirks.console?.noOwner ? HOST : OWNER;
    this.input({ is: "command", id: "", line: line.replace(/^\//, ""), permissionLevel });
  }

  /** Runs `/scriptevent` in the server console. */
  scriptEvent(id: string, message: string): void {
    this.input({ is: "scriptEvent", id, message });
  }

  input(input: Input): void {
    this.#inputs.push(input);
  }

  changed(player: Player): void {
    this.#changed.add(player);
  }

  settle(settlement: FormSettlement): void {
    this.#settlements.push(settlement);
  }

  newEntityId(): string {
    this.#entities++;
    return String(-(2 ** 40) - this.#entities);
  }

  /** Shows a message of a script to one player or everyone. */
  show(playerId: string, text: string): void {
    this.#show(playerId, asRead(text));
  }

  /** Shows what a player typed, as the game does. */
  showTyped(playerId: string, text: string, targets: readonly string[] | undefined): void {
    const sender = this.#online.get(playerId);
    if (!sender) return;
    const line = `<${sender.displayName}> ${sender.chatMessagePrefix ?? ""}${text}`;
    if (targets?.length) for (const id of new Set([playerId, ...targets])) this.#show(id, line);
    else this.#show("", line);
  }

  /** Begins the next tick and returns the input since the last one. */
  advance(): TickInput | undefined {
    this.tick++;
    this.allowList.advance();
    if (this.#spawning.length > 0) this.#spawnDue();
    if (this.#inputs.length + this.#changed.size + this.#settlements.length === 0) return undefined;
    const input = {
      inputs: this.#inputs.map(one => this.#withNewestState(one)),
      players: [...this.#changed].filter(({ online }) => online).map(({ state }) => state),
      forms: this.#settlements,
    };
    this.#inputs = [];
    this.#changed = new Set();
    this.#settlements = [];
    return input;
  }

  save(): SavedWorld {
    const { enabled, entries } = this.allowList;
    return structuredClone({
      version: 1,
      tick: this.tick,
      dynamicProperties: Object.fromEntries(this.dynamicProperties),
      allowList: { enabled, entries: [...entries] },
      players: Object.fromEntries(this.#identities),
    });
  }

  /** A player may have changed between joining and the tick of the event. */
  #withNewestState(input: Input): Input {
    if (input.is !== "join") return input;
    return { is: "join", player: this.#online.get(input.player.id)?.state ?? input.player };
  }

  #show(playerId: string, text: string): void {
    if (playerId === "") {
      for (const player of this.#online.values()) player.see(text);
      this.#chat.push({ tick: this.tick, text });
      return;
    }
    const player = this.#online.get(playerId);
    player?.see(text);
    if (player) this.#chat.push({ tick: this.tick, to: player.name, text });
  }

  #spawnDue(): void {
    for (const { player, at, kicked } of this.#spawning) {
      if (at > this.tick) continue;
      this.#settings.happened("spawned", player);
      this.input({ is: "spawn", id: player.id, initial: true, ...(kicked && { kicked }) });
      if (kicked) this.#remove(player);
    }
    this.#spawning = this.#spawning.filter(({ at }) => at > this.tick);
  }

  #remove(player: Player): void {
    this.#settings.happened("disconnected", player);
    player.online = false;
    this.#online.delete(player.id);
  }

  #identity(name: string, persistentId: string | undefined): PlayerIdentity {
    const known = this.#identities.get(name);
    if (known) return known;
    const hash = createHash("sha256").update(name).digest();
    const identity = {
      id: String(FIRST_PLAYER_ID + this.#identities.size + 1),
      persistentId: persistentId ?? hash.toString("hex").slice(0, 16).toUpperCase(),
      xuid: `2535${String(hash.readUIntBE(8, 6) % 1e12).padStart(12, "0")}`,
    };
    this.#identities.set(name, identity);
    return identity;
  }
}

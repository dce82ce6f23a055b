import type { Quirks } from "./quirks.ts";

export type LogLevel = "info" | "warn" | "error";

export interface ConsoleLine {
  readonly level: LogLevel;
  readonly line: string;
}

/** Settings of `@minecraft/server-net` in permissions.json. What is absent is not enforced. */
export interface NetOptions {
  /** A request is allowed when its URI begins with one of these. */
  readonly allowedUris?: readonly string[];
  readonly maxBodyBytes?: number;
  readonly maxConcurrentRequests?: number;
  readonly forceTls?: boolean;
}

export interface AllowListEntry {
  readonly name?: string;
  readonly xuid?: string;
  readonly ignoresPlayerLimit: boolean;
}

/** Where the allow list lies while the game is off. */
export interface ListFile {
  read(): readonly AllowListEntry[];
  write(entries: readonly AllowListEntry[]): void;
}

/** Who a player is, in every session of one world. */
export interface PlayerIdentity {
  readonly id: string;
  readonly persistentId: string;
  readonly xuid: string;
}

/** What persists while the game is off. Plain JSON. */
export interface SavedWorld {
  readonly version: 1;
  readonly tick: number;
  readonly dynamicProperties: Readonly<Record<string, unknown>>;
  readonly allowList: { readonly enabled: boolean; readonly entries: readonly AllowListEntry[] };
  readonly players: Readonly<Record<string, PlayerIdentity>>;
}

/** Told what a server tells its console of: players, and its end. */
export type Happened = (
  what: "connected" | "spawned" | "disconnected" | "stopping" | "stopped",
  player?: { readonly name: string; readonly xuid: string; readonly persistentId: string },
) => void;

export interface SimulatorOptions {
  /** Source text of the compiled pack, or the path of its main.js (anything that ends in `.js`). */
  readonly pack: string;
  /** variables.json. */
  readonly variables?: Readonly<Record<string, unknown>>;
  /** secrets.json. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Wall clock in milliseconds that the pack's Date shows, as of the beginning of each tick, and of timeouts. Default: real. */
  readonly now?: () => number;
  readonly net?: NetOptions;
  /**
   * Members to take away: `World.sendMessage`, `WorldAfterEvents.chatSend`,
   * `@minecraft/server-admin.dedicatedServer`, or a whole module, whose import then fails.
   */
  readonly omit?: readonly string[];
  /** Names of commands that another pack has registered already, such as `bridge:mute`. */
  readonly takenCommands?: readonly string[];
  /** The world an earlier simulator left. */
  readonly saved?: SavedWorld;
  /** Every line of the content log as it is written. */
  readonly log?: (level: LogLevel, line: string) => void;
  /** What a server tells its console of: players, and its end. */
  readonly happened?: Happened;
  /** Memory the script may use. Default 250 MB. */
  readonly memoryLimitBytes?: number;
  /** Milliseconds one call into the script may take before it is ended. Default 10000. */
  readonly hangMs?: number;
  /** What this game does otherwise. Default: nothing. */
  readonly quirks?: Quirks;
  /** Told of each save, as what is left of the world is kept. */
  readonly keep?: (world: SavedWorld) => void;
  /** Ticks between world saves. Default 400, which is 20 seconds. */
  readonly saveEveryTicks?: number;
  /** Ticks from playerJoin to the first playerSpawn. Default 3. */
  readonly spawnDelayTicks?: number;
  /** Where the allow list is written to whenever it changes. Default: nowhere. */
  readonly allowListFile?: ListFile | undefined;
  /** Ticks until a change of the allow list can be read back. Default 0. */
  readonly allowListDelayTicks?: number;
  /** Milliseconds per tick for system.runJob. Default 2. */
  readonly jobBudgetMs?: number;
}

/** What the script holds at one moment, the simulated script API included. */
export interface ScriptMemory {
  readonly bytes: number;
  readonly objects: number;
  /** pieces of memory: an object has several, and a text one */
  readonly blocks: number;
}

/**
 * Script time per tick since the start or the last reset, in milliseconds. What the simulator does in place of native code is in none
 * of it: requests, screens, log, and handing over what happened.
 */
export interface Report {
  readonly meanMs: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

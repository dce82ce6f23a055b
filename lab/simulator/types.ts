import type { Quirks } from "./quirks.ts";

export type LogLevel = "info" | "warn" | "error";

export interface ConsoleLine {
  readonly level: LogLevel;
  readonly line: string;
}

/** Settings of `@minecraft/server-net` in permissions.json. Missing ones are not enforced. */
export interface NetOptions {
  /** Allowed URI prefixes of requests. */
  readonly allowedUris?: readonly string[];
  readonly maxBodyBytes?: number;
  readonly maxConcurrentRequests?: number;
  readonly forceTls?: boolean;
  /** Certificate authority to trust instead of those of Node, in PEM. */
  readonly authority?: string;
}

export interface AllowListEntry {
  readonly name?: string;
  readonly xuid?: string;
  readonly ignoresPlayerLimit: boolean;
}

/** The saved allowlist. */
export interface ListFile {
  read(): readonly AllowListEntry[];
  write(entries: readonly AllowListEntry[]): void;
}

/** Identity of a player in all sessions of one world. */
export interface PlayerIdentity {
  readonly id: string;
  readonly persistentId: string;
  readonly xuid: string;
}

/** The saved world. Plain JSON. */
export interface SavedWorld {
  readonly version: 1;
  readonly tick: number;
  readonly dynamicProperties: Readonly<Record<string, unknown>>;
  readonly allowList: { readonly enabled: boolean; readonly entries: readonly AllowListEntry[] };
  readonly players: Readonly<Record<string, PlayerIdentity>>;
}

/** Called for players and the stop of the server, which a server prints in its console. */
export type ConsoleReport = (
  what: "connected" | "spawned" | "disconnected" | "stopping" | "stopped",
  player?: { readonly name: string; readonly xuid: string; readonly persistentId: string },
) => void;

export interface SimulatorOptions {
  /** Source text of the compiled pack, or the path of its main.js (anything that ends with `.js`). */
  readonly pack: string;
  /** variables.json. */
  readonly variables?: Readonly<Record<string, unknown>>;
  /** secrets.json. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Wall clock in milliseconds for timeouts, and for the pack's Date as of the start of each tick. Default: real time. */
  readonly now?: () => number;
  readonly net?: NetOptions;
  /**
   * Members to remove: `World.sendMessage`, `WorldAfterEvents.chatSend`,
   * `@minecraft/server-admin.dedicatedServer`, or a module, whose import then fails.
   */
  readonly omit?: readonly string[];
  /**
   * The pack asks for stable versions of `@minecraft/server` and `@minecraft/server-ui`: it gets no member and no module that needs
   * the Beta APIs. Default: it gets them all.
   */
  readonly isStable?: boolean;
  /** Names of commands that another pack has already registered, such as `bridge:mute`. */
  readonly takenCommands?: readonly string[];
  /** The saved world of an earlier simulator. */
  readonly saved?: SavedWorld;
  /** Gets every line of the content log. */
  readonly log?: (level: LogLevel, line: string) => void;
  /** Called for players and the stop of the server. */
  readonly happened?: ConsoleReport;
  /** Called at the beginning of each tick. */
  readonly beforeTick?: () => void;
  /** Memory limit of the script. Default 250 MB. */
  readonly memoryLimitBytes?: number;
  /** Time limit of one call into the script, in milliseconds. Default 10000. */
  readonly hangMs?: number;
  /** How this game differs. Default: not at all. */
  readonly quirks?: Quirks;
  /** Gets the saved world at each save. */
  readonly keep?: (world: SavedWorld) => void;
  /** Ticks between world saves. Default 400, which is 20 seconds. */
  readonly saveEveryTicks?: number;
  /** Ticks from playerJoin to the first playerSpawn. Default 3. */
  readonly spawnDelayTicks?: number;
  /** Called with the allowlist whenever it changes. Default: not called. */
  readonly allowListFile?: ListFile | undefined;
  /** Ticks until a change of the allow list can be read back. Default 0. */
  readonly allowListDelayTicks?: number;
  /** Milliseconds per tick for system.runJob. Default 2. */
  readonly jobBudgetMs?: number;
}

/** Memory of the script, including the simulated script API. */
export interface ScriptMemory {
  readonly bytes: number;
  readonly objects: number;
  /** allocations: an object has several, a text has one */
  readonly blocks: number;
}

/**
 * Script time per tick since the start or the last reset, in milliseconds. It does not include the simulator's replacements of
 * native code: requests, screens, log, and the delivery of events.
 */
export interface Report {
  readonly meanMs: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

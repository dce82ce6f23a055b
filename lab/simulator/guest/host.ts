/** What a form shows, as the guest hands it over: every text is flattened already. */
export interface FormContent {
  readonly kind: "action" | "message";
  readonly title: string;
  readonly body: string;
  readonly buttons: readonly string[];
  readonly icons: readonly (string | null)[];
  readonly labels: readonly string[];
}

/**
 * What the host offers the guest. Strings and numbers only, because a call costs microseconds and an
 * object costs many calls. Texts that carry structure are JSON.
 */
export interface Host {
  /** One line of the content log. `level` is info, warn or error. */
  log(level: string, text: string): void;
  /** Stops the script for good, as the watchdog does. */
  fatal(reason: string): void;
  /** A line for one player's chat; an empty id means everybody's. */
  message(playerId: string, text: string): void;
  /** A line a player typed, let through by the packs. `targets` is "" or a JSON array of ids. */
  said(playerId: string, text: string, targets: string): void;
  /** Changes a player's field; `json` is "" for undefined. */
  setPlayer(playerId: string, field: string, json: string): void;
  /** Position of an entity as JSON {x, y, z}. */
  location(entityId: string): string;
  /** Stores a dynamic property; `json` is "" to remove it. */
  property(id: string, json: string): void;
  /** Opens a form. Answers -1, or after how many ticks the player's game says that another screen is open. */
  showForm(playerId: string, formId: number, json: string): number;
  closeForms(playerId: string): void;
  /**
   * Starts an HTTP request; `json`: all but its body. Answers "" or a JSON {name, message, ...fields} of the error to reject
   * with.
   */
  request(json: string, body: string): string;
  cancelRequests(reason: string): void;
  /** Number of a secret, -1 when there is none. The value never enters the VM. */
  secret(name: string): number;
  makeSecret(value: string): number;
  /** One operation on the allow list; the answer is JSON. */
  allowList(operation: string, json: string): string;
  /** Something that a script does to a player, or has a simulated one do; both are JSON, the answer a `Done`. */
  act(playerId: string, json: string): string;
  /** Monotonic milliseconds, for budgets. */
  elapsed(): number;
}

/** What a player looks like to the guest. Pushed whole whenever something of it changed. */
export interface PlayerState {
  readonly id: string;
  readonly name: string;
  readonly persistentId: string;
  readonly nameTag: string;
  readonly health: number;
  readonly maxHealth: number;
  readonly ping: number;
  /** language of the player's game, such as `en_US` */
  readonly locale: string;
  readonly namePrefix?: string | undefined;
  readonly nameSuffix?: string | undefined;
  readonly messagePrefix?: string | undefined;
  /** True: every read throws. A list: reads of these members throw. */
  readonly broken?: boolean | readonly string[];
  /** A simulated player: of this pack, or of another one, where `undefined` stands in its place. */
  readonly simulated?: "here" | "elsewhere";
}

/** What `Host.act` is asked for. */
export type Act =
  | { readonly is: "spawn"; readonly name: string; readonly at: { x: number; y: number; z: number } }
  | { readonly is: "chat"; readonly text: string }
  | { readonly is: "leave" }
  | { readonly is: "kick"; readonly reason?: string }
  | { readonly is: "refuse"; readonly reason?: string }
  | { readonly is: "respawn" }
  | { readonly is: "health"; readonly to: number }
  | { readonly is: "hurt"; readonly amount?: number; readonly cause: string; readonly by?: string };

/** What has come of it. */
export interface Done {
  readonly done: boolean;
  /** why the engine refuses it */
  readonly error?: string;
  /** the player as it is then */
  readonly player?: PlayerState;
}

/** An entity that is no player, as a killer or projectile. */
export interface OtherState {
  readonly id: string;
  readonly typeId: string;
  readonly owner?: string;
}

/** When another pack's handler of playerSpawn sends the player away: before or after this pack's handler. */
export type Kicked = "before" | "after";

export type EntityRef = string | OtherState;

export type Input =
  | {
      readonly is: "chat";
      readonly id: string;
      readonly text: string;
      readonly targets?: readonly string[];
      readonly cancelled: boolean;
    }
  | {
      readonly is: "command";
      /** without the slash */
      readonly line: string;
      /** empty: the console of the server */
      readonly id: string;
      readonly permissionLevel: number;
    }
  | { readonly is: "scriptEvent"; readonly id: string; readonly message: string }
  | { readonly is: "join"; readonly player: PlayerState }
  | { readonly is: "spawn"; readonly id: string; readonly initial: boolean; readonly kicked?: Kicked }
  | { readonly is: "replace"; readonly id: string }
  | {
      readonly is: "die";
      readonly dead: EntityRef;
      readonly cause: string;
      readonly by?: EntityRef;
      readonly projectile?: OtherState;
    }
  | { readonly is: "leave"; readonly id: string };

export interface HttpCompletion {
  readonly id: number;
  readonly status?: number;
  readonly body?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly error?: { readonly errorCode: number | undefined; readonly errorMessage: string };
}

export interface FormSettlement {
  readonly id: number;
  readonly selection?: number;
  readonly canceled?: string;
  readonly rejected?: string;
}

/** Everything that reaches the guest in one tick. */
export interface TickInput {
  readonly players?: readonly PlayerState[];
  readonly inputs?: readonly Input[];
  readonly http?: readonly HttpCompletion[];
  readonly forms?: readonly FormSettlement[];
}

/** Kinds of after-events, in the order in which the engine flushes them. */
export const AFTER = ["scriptEvent", "chat", "health", "die", "join", "spawn", "leave"] as const;
export type After = (typeof AFTER)[number];

/** What a game may do otherwise for its script. */
export interface ScriptQuirks {
  /** no event of chat is raised */
  readonly isSilent?: boolean;
  /** forms are rejected */
  readonly refusesForms?: boolean;
  /** nobody is asked whether somebody may join */
  readonly joins?: "unasked";
  /** how many ticks a player waits for the script to say so */
  readonly joinTicks?: number;
  /** most parameters that a command may have */
  readonly commandParameters?: number;
}

/** What the guest is started with. */
export interface Boot {
  readonly tick: number;
  /** Whether `worldLoad` is to come: it does not after a reload. */
  readonly worldLoad: boolean;
  readonly omit: readonly string[];
  /** Full names of commands that another pack has registered already. */
  readonly takenCommands: readonly string[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly secretNames: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
  readonly players: readonly PlayerState[];
  /** wall clock in milliseconds, where the host keeps the time: it is handed over with each tick */
  readonly now: number | undefined;
  readonly jobBudgetMs: number;
  readonly quirks: ScriptQuirks;
}

/** Contents of a form for the host; texts are already flattened. */
export interface FormContent {
  readonly kind: "action" | "message" | "modal";
  readonly title: string;
  readonly body: string;
  readonly buttons: readonly string[];
  readonly icons: readonly (string | null)[];
  readonly labels: readonly string[];
  /** text fields of a modal form, whose only button is the one that submits it */
  readonly fields: readonly {
    readonly label: string;
    readonly placeholder: string;
    readonly value: string;
  }[];
}

/**
 * What the host offers to the guest. Only strings and numbers, because a call costs microseconds and an
 * object needs many calls. Structured data is JSON.
 */
export interface Host {
  /** One line of the content log. `level` is info, warn or error. */
  log(level: string, text: string): void;
  /** Stops the script permanently, as the watchdog does. */
  fatal(reason: string): void;
  /** A message for one player's chat; an empty id means everyone. */
  message(playerId: string, text: string): void;
  /** A message that a player typed and no pack cancelled. `targets` is "" or a JSON array of ids. */
  said(playerId: string, text: string, targets: string): void;
  /** Changes a player's field; `json` is "" for undefined. */
  setPlayer(playerId: string, field: string, json: string): void;
  /** Position of an entity as JSON {x, y, z}. */
  location(entityId: string): string;
  /** Stores a dynamic property; `json` is "" to remove it. */
  property(id: string, json: string): void;
  /** Opens a form. Returns -1, or the number of ticks after which the game reports another open screen. */
  showForm(playerId: string, formId: number, json: string): number;
  closeForms(playerId: string): void;
  /**
   * Starts an HTTP request; `json`: all except its body. Returns "" or a JSON {name, message, ...fields} of the error to reject
   * with.
   */
  request(json: string, body: string): string;
  cancelRequests(reason: string): void;
  /** Number of a secret, -1 if there is none. The value never enters the VM. */
  secret(name: string): number;
  makeSecret(value: string): number;
  /** One operation on the allowlist; the result is JSON. */
  allowList(operation: string, json: string): string;
  /** Performs an action of a script on a player; the parameter and the result, a `Done`, are JSON. */
  act(playerId: string, json: string): string;
  /** Monotonic milliseconds, for budgets. */
  elapsed(): number;
}

/** A player's state for the guest. Sent completely whenever a part of it has changed. */
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
  /** A simulated player of this pack, or of another one, which this pack sees as `undefined`. */
  readonly simulated?: "here" | "elsewhere";
}

/** An action for `Host.act`. */
export type Act =
  | { readonly is: "spawn"; readonly name: string; readonly at: { x: number; y: number; z: number } }
  | { readonly is: "chat"; readonly text: string }
  | { readonly is: "leave" }
  | { readonly is: "kick"; readonly reason?: string }
  | { readonly is: "refuse"; readonly reason?: string }
  | { readonly is: "respawn" }
  | { readonly is: "health"; readonly to: number }
  | { readonly is: "hurt"; readonly amount?: number; readonly cause: string; readonly by?: string };

/** The result of an action. */
export interface ActResult {
  readonly done: boolean;
  /** why the engine rejects it */
  readonly error?: string;
  /** the player after the action */
  readonly player?: PlayerState;
}

/** An entity that is not a player, as a killer or projectile. */
export interface OtherState {
  readonly id: string;
  readonly typeId: string;
  readonly owner?: string;
}

/** When another pack's handler of playerSpawn kicks the player: before or after this pack's handler. */
export type KickMoment = "before" | "after";

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
      /** empty: the server console */
      readonly id: string;
      readonly permissionLevel: number;
    }
  | { readonly is: "scriptEvent"; readonly id: string; readonly message: string }
  | { readonly is: "join"; readonly player: PlayerState }
  | { readonly is: "spawn"; readonly id: string; readonly initial: boolean; readonly kicked?: KickMoment }
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
  /** of the fields of a modal form */
  readonly values?: readonly string[];
  readonly canceled?: string;
  readonly rejected?: string;
}

/** All input of the guest for one tick. */
export interface TickInput {
  readonly players?: readonly PlayerState[];
  readonly inputs?: readonly Input[];
  readonly http?: readonly HttpCompletion[];
  readonly forms?: readonly FormSettlement[];
}

/** Types of after-events, in the order in which the engine flushes them. */
export const AFTER = ["scriptEvent", "chat", "health", "die", "join", "spawn", "leave"] as const;
export type AfterEventName = (typeof AFTER)[number];

/** How this game differs for its script. */
export interface ScriptQuirks {
  /** no chat events */
  readonly isSilent?: boolean;
  /** forms are rejected */
  readonly refusesForms?: boolean;
  /** no events before players join */
  readonly joins?: "unasked";
  /** ticks for which a joining player waits for the script */
  readonly joinTicks?: number;
  /** most parameters of a command */
  readonly commandParameters?: number;
}

/** Start options of the guest. */
export interface Boot {
  readonly tick: number;
  /** Whether `worldLoad` is fired: not after a reload. */
  readonly worldLoad: boolean;
  readonly omit: readonly string[];
  /** Whether the pack asks for stable modules, which have nothing of the Beta APIs. */
  readonly isStable: boolean;
  /** Full names of commands that another pack has already registered. */
  readonly takenCommands: readonly string[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly secretNames: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
  readonly players: readonly PlayerState[];
  /** wall clock in milliseconds, if the host controls the time: it is passed with each tick */
  readonly now: number | undefined;
  readonly jobBudgetMs: number;
  readonly quirks: ScriptQuirks;
}

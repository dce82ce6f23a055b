import type { Action, ActionBody, Outcome } from "../shared/actions.ts";
import type { HistoryPoint } from "../shared/public/game.ts";
import type { Hello } from "../shared/requests.ts";
import type { Result } from "../shared/result.ts";
import type { Asked } from "./domain/asked.ts";
import type { FeedEntry, HookState, LogPage } from "./domain/feed.ts";
import type { GameServer } from "./domain/game-server.ts";
import type { LinkRecord } from "./domain/links.ts";
import type { Presence } from "./domain/presence.ts";
import type { NamedRate } from "./domain/rate.ts";
import type { PartialSnapshot, Snapshot } from "./domain/snapshot.ts";
import type { WebChatRules } from "./domain/web-chat.ts";

/** Time and waiting, so that tests can own both. */
export interface Clock {
  /** wall time in milliseconds since 1970; whoever owns the machine may set it, back too */
  now(): number;
  /** milliseconds since some moment, which only ever rise: what waiting is measured by */
  monotonic(): number;
  /** calls back once after `ms` milliseconds; returns what cancels it */
  after(ms: number, callback: () => void): () => void;
  /** calls back every `ms` milliseconds; returns what ends it */
  every(ms: number, callback: () => void): () => void;
  /** calls back once in the next turn of the event loop: what has arrived until then was read */
  soon(callback: () => void): void;
}

/** Structured log: facts as fields, one short message. Fields never hold secrets, session ids or message texts. */
export type Log = Record<"debug" | "info" | "warn" | "error", (fields: object, message: string) => void>;

/**
 * Milliseconds since 1970 by the one clock that decides about deadlines which outlive a process or are shared; it goes on
 * steadily, whoever sets the clock of this machine.
 */
export type SharedTime = () => number;

/** What is rejected with where nothing can be done without the storage: all of it is worth another try. */
export class StorageFault extends Error {
  override readonly name: string = "StorageFault";
}

/** The storage has no room for what it was to keep. */
export class StorageFull extends StorageFault {
  override readonly name = "StorageFull";
}

/**
 * The storage cannot be reached, or does not do what it is asked at the moment. Whether what was asked for was done is not
 * known.
 */
export class StorageAway extends StorageFault {
  override readonly name = "StorageAway";
}

/** Whether the storage that sidecars share can be reached. */
export interface Reach {
  isAway(): boolean;
  /** Calls back whenever that changes. */
  onChange(listener: (isAway: boolean) => void): void;
}

/**
 * The turn to deal with what a pack says. Once it is over, what is changed in it changes nothing, and rejects with
 * `StorageAway`. What the game tells has room in a storage that is full: it takes the place of what was asked.
 */
export interface Turn {
  /** tells it from every other one */
  readonly token: string;
  /** where a storage that is shared shows whose turn it is */
  readonly key?: string;
  /** the session of the pack when it began, where that was learned with it */
  readonly pack?: { readonly session: string; readonly run: string; readonly fact: number };
}

/**
 * Where the link of each browser session lives. Several sidecar processes may share one store.
 */
export interface LinkStore {
  /** The record of a session; one that was never stored reads as `not_linked`. */
  read(session: string): Promise<LinkRecord>;
  /**
   * Changes the record of one session: `decide` gets the stored one and returns the one to store with an answer
   * for the caller. Nothing comes between reading and storing; `decide` may be called more than once. A record
   * equal to the one it got is not written. When the promise settles, the change survives the process being killed.
   */
  change<T>(
    session: string,
    decide: (record: LinkRecord) => { record: LinkRecord; answer: T },
    turn?: Turn,
  ): Promise<T>;
  /** The session whose record names this link request, if any. */
  sessionOf(request: string): Promise<string | undefined>;
  /** Sessions with an open link request, oldest first, at most `limit`; of those only that begin with `prefix`. */
  open(limit: number, prefix?: string): Promise<{ session: string; record: LinkRecord }[]>;
  /** Sessions with an accepted link to the player of this uuid, at most `limit`. */
  linkedTo(uuid: string, limit: number): Promise<string[]>;
  /** Sessions whose record changes by itself at or before `now`, at most `limit`. */
  due(now: number, limit: number): Promise<string[]>;
  /** Rejects when the store cannot keep anything at the moment. */
  checkWritable(): Promise<void>;
  /** An id made up once for this store and the same ever since. */
  bridgeId(): Promise<string>;
  close(): Promise<void>;
}

/** Which game server has a world. */
export interface GameServerStore {
  /** The one that was connected last, if any. */
  gameServer(): Promise<GameServer | undefined>;
  setGameServer(server: GameServer): Promise<void>;
}

/** What one process keeps for itself of both. */
export type OwnStore = LinkStore & GameServerStore;

/** What is remembered of the link requests for each player. Several sidecar processes may share one. */
export interface AskedPlayers {
  /**
   * Changes what is remembered of the player of this name: `decide` gets it, with the time in milliseconds of the clock
   * by which it is kept and which only ever rises, and returns what to remember with an answer for the caller. Nothing
   * comes between; `decide` may be called more than once.
   */
  change<T>(
    player: string,
    decide: (asked: Asked, now: number) => { record: Asked; answer: T },
    turn?: Turn,
  ): Promise<T>;
}

/** A bucket of tokens: of each key there is one for each name of a rate, and it is full at first. */
export interface SharedBucket {
  key: string;
  rate: NamedRate;
  /** tokens that are taken at once; 1 where it is left out */
  cost?: number;
}

/**
 * How often something may happen, counted by keys such as addresses. Several sidecar processes may share one. Where an answer
 * is not there at once it comes within a second or so, and no promise rejects: one that cannot ask the others counts alone.
 */
export interface Rates {
  /**
   * Takes what it costs out of each bucket, up to the first one that has not as much: its place among them, or -1 when all had
   * it. What was taken before that one stays taken.
   */
  take(...buckets: readonly SharedBucket[]): number | Promise<number>;
  /** Puts back a token that was taken. */
  giveBack(bucket: SharedBucket): void;
  /** Has `remembers` say true of this key for so many milliseconds from now on. */
  remember(key: string, forMs: number): void;
  remembers(key: string): boolean | Promise<boolean>;
}

/** An action as the web side hands it over. */
export interface NewAction {
  id: string;
  body: ActionBody;
  /** how long it may take to be begun, in milliseconds */
  lifeMs: number;
}

/** What a game that is gone may have begun. */
export type LostAction = Required<Pick<Outcome, "id" | "do">>;

/** Why a request of a pack is refused. */
export type Refusal = "unknown_session" | "session_replaced";

/**
 * The queue of actions for the game and the session of the one pack that takes them. Several sidecar processes may
 * share one: any of them may append, any may hold the pack's poll.
 */
export interface Outbox {
  /** Appends an action; false when the queue is full. */
  append(action: NewAction, turn?: Turn): Promise<boolean>;
  /**
   * Gives an action up. True: no pack has had it and none will. False: a pack may have it.
   */
  withdraw(id: string): Promise<boolean>;
  /**
   * Begins a session for a run of the pack, or continues the one that this run has. A new run replaces the one
   * before; actions that the replaced run may have begun come back in `lost` and are never handed out again. Some of
   * them may have had their outcome.
   */
  open(
    hello: Pick<Hello, "run" | "firstFact">,
    turn?: Turn,
  ): Promise<Result<{ session: string; lost: LostAction[] }, Refusal>>;
  /**
   * Waits up to `waitMs` for actions that come after `after` and returns the oldest of them. A later call for the
   * same session ends the wait of an earlier one with an empty list; so does `signal`.
   */
  take(
    session: string,
    after: number,
    waitMs: number,
    signal?: AbortSignal,
  ): Promise<Result<Action[], Refusal>>;
  /** The run of this session, and the number of the last fact taken from it. */
  received(session: string, turn?: Turn): Promise<Result<{ run: string; fact: number }, Refusal>>;
  /**
   * Runs what deals with a request of a pack: one at a time, over all processes that share this, in the order of the calls
   * of one process. A process that takes too long over it loses its turn.
   */
  inTurn<T>(work: (turn: Turn) => Promise<T>): Promise<T>;
  /** Notes that every fact up to this number has been dealt with. */
  markReceived(session: string, fact: number, turn?: Turn): Promise<void>;
  /** Actions waiting, handed out or not. */
  size(): Promise<number>;
  close(): Promise<void>;
}

/** What a process may tell all of them. */
export type Published =
  | { kind: "outcome"; outcome: Outcome; names?: readonly string[] }
  | { kind: "snapshot"; snapshot: Snapshot }
  /**
   * of a process of the game, from where it can be seen, or could be seen last; `from`: names who tells it, undefined from one
   * of an earlier version
   */
  | { kind: "figures"; figures: ProcessFigures; from?: string | undefined };

/** What every sidecar process of one bridge has to hear; `web-chat`: an operator has changed who may write from the web. */
export type BusEvent = Published | { kind: "web-chat"; rules: WebChatRules };

/** Spreads what is told of a world among the processes; each hears its own too. Order of one publisher is kept. */
export interface Bus {
  publish(event: Published, turn?: Turn): Promise<void>;
  subscribe(listener: (event: BusEvent) => void): () => void;
  /** the last snapshot published, by whichever process */
  lastSnapshot(): Promise<Snapshot | undefined>;
  close(): Promise<void>;
}

/** Who may write from the web, as operators have said it to any of the processes. */
export interface WebChatStore {
  /** undefined: none has said anything */
  webChat(): Promise<WebChatRules | undefined>;
  /** Changes that; `decide` may be called more than once. When the promise settles, this process has heard it. */
  changeWebChat(decide: (rules: WebChatRules | undefined) => WebChatRules, turn?: Turn): Promise<void>;
  subscribe(listener: (event: BusEvent) => void): () => void;
}

/** What the game tells in parts, each with a fact of its own. Several sidecar processes may share one. */
export interface Parts {
  /** Adds names that the fact of this number tells of an action; told again, they are the same. */
  addNames(action: string, fact: number, names: readonly string[], turn?: Turn): Promise<void>;
  /** What was told of an action so far; undefined: nothing, or longer ago than anybody waits for it. */
  names(action: string): Promise<readonly string[] | "too many" | undefined>;
  forgetNames(action: string): Promise<void>;
  /** The snapshot of which parts are to come, if any. */
  partial(): Promise<PartialSnapshot | undefined>;
  setPartial(partial: PartialSnapshot | undefined, turn?: Turn): Promise<void>;
}

/** An entry that gets its id. */
export interface NewEntry extends Omit<FeedEntry, "id"> {
  /** where it could come again after this process was killed: one that was appended with this key is passed over */
  key?: string;
}

/** What the feed has told of a world. */
export interface PresenceLog {
  /**
   * Appends to the feed in one step what `decide` makes of what was told so far; `decide` may be called more than once. When
   * the promise settles, every listener of this process has heard it, and it survives the process being killed.
   */
  append(
    decide: (presence: Presence) => { presence?: Presence; entries: readonly NewEntry[] },
    turn?: Turn,
  ): Promise<void>;
  /** What was told so far. */
  presence(): Promise<Presence>;
}

/**
 * The numbered log of what happened. Several sidecar processes may share one: any of them may append, and each hears of
 * everything.
 */
export interface FeedLog {
  /** Appends entries, whatever was told so far; what is asked of the outbox in the same moment keeps their order. */
  tell(entries: readonly NewEntry[], turn?: Turn): Promise<void>;
  /** Calls back with what was appended, in order, everything of one moment together. */
  subscribe(listener: (entries: readonly FeedEntry[]) => void): () => void;
  /**
   * Calls back with entries that are passed over, ahead of what comes with them: the process before has appended them, and
   * perhaps told nobody who only listens.
   */
  onRepeated(listener: (entries: readonly NewEntry[]) => void): void;
  /**
   * Calls back when something was appended elsewhere and is gone before it was heard here: what is held begins anew, and
   * listeners have missed something.
   */
  onHole(listener: () => void): void;
  /** Settles when everything that any process has appended before was heard here. */
  sync(): Promise<void>;
  /** The newest entries, oldest first, at most `limit`, and the place before them. */
  newest(limit: number): Promise<{ floor: string; entries: FeedEntry[] }>;
  /** What comes after a place, oldest first, at most `limit`; where something is gone, from the oldest on. */
  read(after: string, limit: number): Promise<LogPage>;
  /** Place of the newest entry. */
  last(): Promise<string>;
  /** States of the webhooks by their urls. */
  hooks(): Promise<ReadonlyMap<string, HookState>>;
  /** Sets the state of a webhook, or forgets it. */
  setHook(url: string, state: HookState | undefined): Promise<void>;
  close(): Promise<void>;
}

/** A change that the holder of a key has asked of the game, and what became of it. */
export interface AuditEntry {
  /** wall time in milliseconds since 1970 */
  at: number;
  /** name of the key */
  key: string;
  address: string;
  action: "whitelist.add" | "whitelist.remove";
  /** whom it is about */
  name: string;
  /** status or error code of the answer */
  outcome: string;
}

/** The record of such changes; each process has its own. */
export interface Audit {
  /** Settles once the entry is written, or cannot be, which is told in the log. Never rejects. */
  write(entry: AuditEntry): Promise<void>;
}

/** Memory and CPU of the game server's process, as far as this process can see them. */
export interface ProcessFigures {
  /** resident memory in MiB, 0 when not visible */
  memoryUsedMB: number;
  /** memory that the process may use in MiB, 0 when not visible */
  memoryMaxMB: number;
  /** share of the whole machine, 0 to 100; -1 when not visible */
  cpuUsage: number;
}

export interface ProcessProbe {
  /** Reads the figures; never rejects. */
  read(): Promise<ProcessFigures>;
}

/** Asks the game server of this machine what it tells anybody; undefined: it does not answer. Never rejects. */
export type AskGame = () => Promise<
  { version?: string | undefined; maxPlayers?: number | undefined } | undefined
>;

/** The plots of the last hour, for processes that start anew beside others. */
export interface HistoryStore {
  /** in no order */
  read(): Promise<HistoryPoint[]>;
  /** Keeps a point, unless there is one of the same slot of time. */
  add(slot: number, point: HistoryPoint): Promise<void>;
}

/** What the processes tell each other about lines from the web that they have refused in the last minute. */
export interface RefusedLines {
  /** Tells what this process has refused: lines, and the address of most of them. */
  tell(own: { lines: number; from: string } | undefined): void;
  /** What the others have told last. */
  others(): { lines: number; from: string }[];
}

/** What one of the processes does for all of them. */
export interface Duty {
  /**
   * Calls `begin` when this process gets the duty, and what that resolves with when another may have it. Settles once it was
   * tried to get it, with what gives it up.
   */
  hold(begin: () => Promise<() => Promise<void>>): Promise<() => Promise<void>>;
}

/** The log of one process, with what it has told of its world, and the plots of that. */
export type OwnLog = FeedLog & PresenceLog & { readonly history: HistoryStore };

/** What the processes share of the world of one game server. */
export interface SharedWorld {
  outbox: Outbox;
  bus: Bus;
  parts: Parts;
  presence: PresenceLog;
  history: HistoryStore;
  gameServer: GameServerStore;
}

/** Everything that the sidecar processes of one bridge share. */
export interface Shared {
  /** the clock for what is told to others; its wall time is that of all of them */
  clock: Clock;
  time: SharedTime;
  store: LinkStore;
  asked: AskedPlayers;
  world: SharedWorld;
  webChat: WebChatStore;
  feedLog: FeedLog;
  rates: Rates;
  refused: RefusedLines;
  /** to send what webhooks wait for */
  duty: Duty;
  reach: Reach;
  /** figures of it for operators */
  gauges: readonly { name: string; help: string; read(): number; labels?: Record<string, string> }[];
  /** To be called when this process serves: until then what is read waits for a storage that has gone away. */
  started(): void;
  /** To be called when all of them are closed. */
  close(): Promise<void>;
}

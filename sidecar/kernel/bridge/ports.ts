import type { Action, ActionBody } from "../../../shared/actions.ts";
import type { Outcome } from "../../../shared/facts.ts";
import type { Hello } from "../../../shared/requests.ts";
import type { Result } from "../../../shared/result.ts";
import type { Lease } from "../storage/ports.ts";
import type { PartialSnapshot, Snapshot } from "./snapshot.ts";

/** An action as the web side hands it over. */
export interface NewAction {
  id: string;
  body: ActionBody;
  /** how long it may take to be begun, in milliseconds */
  lifeMs: number;
  /** a line of another game server, which may not take all the room of its kind */
  isRelayed?: true;
}

/** What a game that is gone may have begun. */
export type LostAction = Required<Pick<Outcome, "id" | "do">>;

/** Why a request of a pack is refused. */
export type Refusal = "unknown_session" | "session_replaced";

/**
 * The queue of actions for the game and the session of the one pack that takes them. Several sidecar processes may share one: each
 * of them may append, and each may hold the pack's poll.
 */
export interface Outbox {
  /** Appends an action; false when the queue is full. */
  append(action: NewAction, lease?: Lease): Promise<boolean>;
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
    lease?: Lease,
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
  received(session: string, lease?: Lease): Promise<Result<{ run: string; fact: number }, Refusal>>;
  /**
   * Runs what deals with a request of a pack: one at a time, over all processes that share this, in the order of the calls
   * of one process. A process that takes too long over it loses its turn.
   */
  withLease<T>(work: (lease: Lease) => Promise<T>): Promise<T>;
  /** Notes that every fact up to this number has been dealt with. */
  markReceived(session: string, fact: number, lease?: Lease): Promise<void>;
  /** Actions waiting, handed out or not. */
  size(): Promise<number>;
  close(): Promise<void>;
}

/** What every sidecar process of one bridge has to hear. */
export type BusEvent =
  | { kind: "outcome"; outcome: Outcome; names?: readonly string[] }
  | { kind: "snapshot"; snapshot: Snapshot }
  /**
   * of a process of the game, from where it can be seen, or could be seen last; `from`: names who tells it, undefined from one
   * of an earlier version
   */
  | { kind: "figures"; figures: ProcessFigures; from?: string | undefined };

/** Sends what a game server reports to all processes, the sender too, in the order of each sender. */
export interface Bus {
  publish(event: BusEvent, lease?: Lease): Promise<void>;
  subscribe(listener: (event: BusEvent) => void): () => void;
  /** the last snapshot published, by whichever process */
  lastSnapshot(): Promise<Snapshot | undefined>;
  close(): Promise<void>;
}

/** What the game tells in parts, each with a fact of its own. Several sidecar processes may share one. */
export interface Parts {
  /** Adds names that the fact of this number tells of an action; told again, they are the same. */
  addNames(action: string, fact: number, names: readonly string[], lease?: Lease): Promise<void>;
  /** What was told of an action so far; undefined: nothing, or longer ago than anybody waits for it. */
  names(action: string): Promise<readonly string[] | "too many" | undefined>;
  forgetNames(action: string): Promise<void>;
  /** The snapshot of which parts are to come, if any. */
  partial(): Promise<PartialSnapshot | undefined>;
  setPartial(partial: PartialSnapshot | undefined, lease?: Lease): Promise<void>;
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

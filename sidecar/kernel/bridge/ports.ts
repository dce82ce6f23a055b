import type { Action, ActionBody } from "../../../shared/actions.ts";
import type { Outcome } from "../../../shared/facts.ts";
import type { Hello } from "../../../shared/requests.ts";
import type { Result } from "../../../shared/result.ts";
import type { Lease } from "../storage/ports.ts";
import type { PartialSnapshot, Snapshot } from "./snapshot.ts";

/** A new action for the game. */
export interface NewAction {
  id: string;
  body: ActionBody;
  /** how long it may take to begin, in milliseconds */
  lifeMs: number;
  /** whether it is a chat message of another game server, which gets only a part of the queue */
  isRelayed?: true;
}

/** An action that a replaced run may have begun. */
export type LostAction = Required<Pick<Outcome, "id" | "do">>;

/** Why a request of a pack is rejected. */
export type Refusal = "unknown_session" | "session_replaced";

/**
 * The queue of actions for the game, and the session of the one pack that takes them. Several sidecar processes may share one: any of
 * them may append, and any may hold the pack's poll.
 */
export interface Outbox {
  /** Appends an action; returns false if the queue is full. */
  append(action: NewAction, lease?: Lease): Promise<boolean>;
  /** Withdraws an action. True: it was not and will not be delivered. False: it may have been delivered. */
  withdraw(id: string): Promise<boolean>;
  /**
   * Begins a session for a run of the pack, or resumes the one that it has. A new run replaces the previous one; actions that the
   * replaced run may have begun are returned in `lost` and never delivered again. Some of them may already have an outcome.
   */
  open(
    hello: Pick<Hello, "run" | "firstFact">,
    lease?: Lease,
  ): Promise<Result<{ session: string; lost: LostAction[] }, Refusal>>;
  /**
   * Waits up to `waitMs` for actions after `after` and returns the oldest of them. A later call for the same session ends the wait of
   * an earlier one with an empty list; so does `signal`.
   */
  take(
    session: string,
    after: number,
    waitMs: number,
    signal?: AbortSignal,
  ): Promise<Result<Action[], Refusal>>;
  /** The run of this session, and the number of its last fact that was processed. */
  received(session: string, lease?: Lease): Promise<Result<{ run: string; fact: number }, Refusal>>;
  /**
   * Runs work for a request of a pack under an exclusive lease: one at a time across all processes, in the order of the calls of one
   * process. A process that takes too long loses the lease.
   */
  withLease<T>(work: (lease: Lease) => Promise<T>): Promise<T>;
  /** Records that every fact up to this number has been processed. */
  markReceived(session: string, fact: number, lease?: Lease): Promise<void>;
  /** Number of queued actions, delivered or not. */
  size(): Promise<number>;
  close(): Promise<void>;
}

/** Events for every sidecar process of a bridge. */
export type BusEvent =
  | { kind: "outcome"; outcome: Outcome; names?: readonly string[] }
  | { kind: "snapshot"; snapshot: Snapshot }
  /**
   * figures of the game's process, from a sidecar that can see it, or saw it last; `from`: that sidecar, undefined from an earlier
   * version
   */
  | { kind: "figures"; figures: ProcessFigures; from?: string | undefined };

/** Sends events about a game server to all processes, including the sender, in the order of each sender. */
export interface Bus {
  publish(event: BusEvent, lease?: Lease): Promise<void>;
  subscribe(listener: (event: BusEvent) => void): () => void;
  /** the last snapshot published by any process */
  lastSnapshot(): Promise<Snapshot | undefined>;
  close(): Promise<void>;
}

/** Reports that the game sends in parts, each in its own fact. Several sidecar processes may share one. */
export interface Parts {
  /** Adds the names that the fact with this number reports for an action; adding them again has no effect. */
  addNames(action: string, fact: number, names: readonly string[], lease?: Lease): Promise<void>;
  /** The names reported for an action so far; undefined: none, or they have expired. */
  names(action: string): Promise<readonly string[] | "too many" | undefined>;
  forgetNames(action: string): Promise<void>;
  /** The incomplete snapshot, if any. */
  partial(): Promise<PartialSnapshot | undefined>;
  setPartial(partial: PartialSnapshot | undefined, lease?: Lease): Promise<void>;
}

/** Memory and CPU of the game server's process, as far as visible to this process. */
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

/** Pings the game server on this machine (the unconnected ping that anybody may send); undefined: no answer. Never rejects. */
export type AskGame = () => Promise<
  { version?: string | undefined; maxPlayers?: number | undefined } | undefined
>;

import type { HistoryPoint } from "../../../../shared/public/game.ts";
import type { FeedEntry, HookState, LogPage } from "../../../features/feed/rules.ts";
import type { Presence } from "../../../features/players/rules.ts";
import type { Means, Report, Sums } from "../../../features/status/rules/means.ts";
import type { Turn } from "../ports.ts";

/** An entry that gets its id. */
export interface NewEntry extends Omit<FeedEntry, "id"> {
  /** where it could come again after this process was killed: one of its world that was appended with this key is passed over */
  key?: string;
}

/** What the feed has told of a world. */
export interface PresenceLog {
  /**
   * Appends entries of this world, whatever was told so far; resolves with those that have not been appended before, by their
   * keys.
   */
  tellOnce(entries: readonly NewEntry[], turn?: Turn): Promise<readonly NewEntry[]>;
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

/** The plots, for processes that start anew, also beside others. */
export interface HistoryStore {
  /** Those of the last hour, in no order. */
  read(): Promise<HistoryPoint[]>;
  /** Keeps a point of the last hour, unless there is one of the same slot of time. */
  add(slot: number, point: HistoryPoint): Promise<void>;
  /** What was counted for those of longer spans. */
  means(): Promise<Means>;
  /**
   * Keeps what this process has now counted with a report. Resolves, where there may be other processes, with what all of them
   * together have in the slots of the report, in the order of the spans.
   */
  count(report: Report, means: Means): Promise<readonly (Sums | undefined)[]>;
}

/** What the feed has told of a world, and its plots. */
export type WorldLog = PresenceLog & { readonly history: HistoryStore };

/** The log of one process, with that of its first world, and those of the others by their names. */
export type OwnLog = FeedLog & WorldLog & { worldOf(name: string): WorldLog };

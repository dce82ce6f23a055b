import type { KnownSort, Place } from "../../../features/known-players/rules/known-list.ts";
import type { KnownRecord, Stay } from "../../../features/known-players/rules/known-players.ts";
import type { Turn } from "../ports.ts";

/** What becomes of a record. */
export interface KnownChange {
  /** undefined: nothing is remembered of the player */
  record: KnownRecord | undefined;
  /** visits that are kept besides */
  ended?: readonly Stay[];
  /** whether the visits that are kept go, ahead of `ended` */
  forgets?: boolean;
}

/** Which of those who are away and may be listed, see `isPresent` and `isListed`. */
export interface KnownQuery {
  sort: KnownSort;
  /** those who stand behind this place alone */
  after?: Place | undefined;
  /** only those whose name, in lower case, begins so; only with `sort` `name` */
  prefix?: string | undefined;
  limit: number;
}

/**
 * Who has ever been here, by uuid. Several sidecar processes may share one. What was changed survives the process being killed when
 * the promise settles.
 */
export interface KnownStore {
  /** Those of these players of whom something is remembered. */
  read(uuids: readonly string[]): Promise<ReadonlyMap<string, KnownRecord>>;
  /** Everybody whose visit has not ended. */
  present(): Promise<ReadonlyMap<string, KnownRecord>>;
  /**
   * Changes what is remembered of these players, of each in one step: `decide` gets a record, undefined where there is none, and
   * returns what becomes of it, undefined where nothing does; it may be called more than once. Past `most` players whoever is away
   * and was unseen for longest is remembered no more.
   */
  change(
    uuids: readonly string[],
    decide: (uuid: string, record: KnownRecord | undefined) => KnownChange | undefined,
    options: { most: number; turn?: Turn | undefined },
  ): Promise<void>;
  /** Those who have, or had, a name, as `folded` compares them: also who is there, or hides. */
  named(name: string): Promise<readonly (readonly [uuid: string, record: KnownRecord])[]>;
  /** Players of a query, in its order. */
  page(query: KnownQuery): Promise<readonly (readonly [uuid: string, record: KnownRecord])[]>;
  /**
   * Everybody, also who is there, hides, or is forgotten and not yet told: in slices of some hundreds and in no order, nobody
   * twice. Who changes meanwhile is told as before or after that.
   */
  all(): AsyncIterable<readonly (readonly [uuid: string, record: KnownRecord])[]>;
  /** How many there are in all that `page` goes through. */
  count(prefix?: string): Promise<number>;
  /** Visits of a player that have ended and are kept, newest first, at most `limit`. */
  stays(uuid: string, limit: number): Promise<readonly Stay[]>;
  /**
   * Erases players who are away and were not seen since `unseenSince`, and visits that ended before `endedBefore`; of each kind so
   * many at once that it takes a few milliseconds. False: there may be more.
   */
  tidy(before: { unseenSince: number; endedBefore: number }): Promise<boolean>;
  /** Erases everything; of no cost where nothing is. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

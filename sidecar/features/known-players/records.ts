import { isDeepStrictEqual } from "node:util";
import { foldName } from "../../../shared/names.ts";
import { MAX_STAYS } from "../../../shared/public/known-players.ts";
import type { Lease } from "../../kernel/storage/ports.ts";
import {
  beginningWith,
  collection,
  exactly,
  foundBy,
  type IndexEntry,
  lookUp,
  ordered,
  parseJson,
  type Records,
  type Transaction,
} from "../../kernel/storage/records.ts";
import {
  compare,
  KNOWN_SORTS,
  type KnownSort,
  keyOf,
  listStatusOf,
  lowered,
  type Place,
  playerOf,
} from "./rules/known-list.ts";
import { joined, separated, sortable, unitsOf } from "./rules/known-names.ts";
import {
  foldedNames,
  hasHadName,
  isPresent,
  type KnownRecord,
  knownRecord,
  newestFirst,
  type Visit,
} from "./rules/known-players.ts";

/** A sort key as a value of its index. A name is followed by its lower case, which prefixes are compared with. */
function orderOf(key: Place["key"]): string {
  return typeof key === "string" ? joined(sortable(key), sortable(lowered(key))) : ordered(key);
}

/** The orders of players who are offline and may be listed. Players online are in none: their keys change with each report. */
const SORTS = Object.fromEntries(
  KNOWN_SORTS.map(sort => [
    sort,
    (record: KnownRecord, uuid: string) =>
      listStatusOf(record) === "listed" ? [orderOf(keyOf(playerOf(uuid, record, false), sort))] : [],
  ]),
);

export const KNOWN = collection<KnownRecord>({
  name: "known",
  damaged: "A player's record is damaged and ignored",
  parse: parseJson(knownRecord),
  indexes: {
    ...SORTS,
    present: record => (isPresent(record) ? ["present"] : []),
    away: record => (isPresent(record) ? [] : [ordered(record.last)]),
    lowered: record =>
      listStatusOf(record) === "listed"
        ? [joined(sortable(lowered(record.name)), sortable(record.name))]
        : [],
    folded: record => foldedNames(record).map(sortable),
  },
});

const VISITS_TEXT = /^\d+-\d+(?:,\d+-\d+)*$/;

/** Visits of players that have ended, newest first, by uuid. */
export const VISITS = collection<readonly Visit[]>({
  name: "known-stays",
  isSmall: true,
  damaged: "A player's visits are damaged and ignored",
  parse: text =>
    VISITS_TEXT.test(text)
      ? [...text.matchAll(/(\d+)-(\d+)/g)].map(([, from, to]) => ({ from: Number(from), to: Number(to) }))
      : undefined,
  format: visits => visits.map(({ from, to }) => `${from}-${to}`).join(),
  indexes: { oldest: visits => [ordered(Math.min(...visits.map(({ to }) => to)))] },
});

/** A change of a player's record. */
export interface KnownChange {
  /** undefined: the player is erased */
  record: KnownRecord | undefined;
  /** visits to add */
  ended?: readonly Visit[];
  /** whether the earlier visits are erased */
  forgets?: boolean;
}

/** A query of players who are offline and may be listed, see `isPresent` and `isListed`. */
export interface KnownQuery {
  sort: KnownSort;
  /** only players after this place */
  after?: Place | undefined;
  /** only players whose name, in lower case, begins so; only with `sort` `name` */
  prefix?: string | undefined;
  limit: number;
}

/**
 * Known players, by uuid. Several sidecar processes may share one. A change survives the process being killed once its promise
 * settles.
 */
export interface KnownStore {
  /** The records of these players, without those who are unknown. */
  read(uuids: readonly string[]): Promise<ReadonlyMap<string, KnownRecord>>;
  /** Players with a visit that has not ended. */
  present(): Promise<ReadonlyMap<string, KnownRecord>>;
  /**
   * Changes the records of these players, each in one step: `decide` gets a record, undefined where there is none, and returns the
   * change, undefined for none; it may be called more than once. Past `most` players the one offline for longest is erased.
   */
  change(
    uuids: readonly string[],
    decide: (uuid: string, record: KnownRecord | undefined) => KnownChange | undefined,
    options: { most: number; lease?: Lease | undefined },
  ): Promise<void>;
  /** Players who have, or had, a name, as `foldName` compares them, online and hidden ones included. */
  named(name: string): Promise<readonly (readonly [uuid: string, record: KnownRecord])[]>;
  /** Players of a query, in its order. */
  page(query: KnownQuery): Promise<readonly (readonly [uuid: string, record: KnownRecord])[]>;
  /**
   * Every record, also of players who are online, hidden or forgotten: in batches of some hundreds, in no order, none twice. One
   * that changes meanwhile is given as before or after that.
   */
  all(): AsyncIterable<readonly (readonly [uuid: string, record: KnownRecord])[]>;
  /** How many players `page` goes through. */
  count(prefix?: string): Promise<number>;
  /** Visits of a player that have ended, newest first, at most `limit`. */
  visits(uuid: string, limit: number): Promise<readonly Visit[]>;
  /**
   * Erases players not seen since `unseenSince`, and visits that ended before `endedBefore`; of each kind so many that it takes a
   * few milliseconds. False: there may be more.
   */
  tidy(before: { unseenSince: number; endedBefore: number }): Promise<boolean>;
  /** Erases everything; costs nothing where there is nothing. */
  clear(): Promise<void>;
}

/** Players who are changed in one step, and who are erased in one. */
const MOST_AT_ONCE = 100;
const MOST_ERASED = 50;
/** Past so many names with a prefix, a page is searched in the order of all names. */
const MOST_SORTED = 1_000;
/** Names that are read in one request there. */
const MOST_IN_SLICE = 1_000;

const keysOf = (entries: readonly IndexEntry[]): string[] => entries.map(({ key }) => key);
const placeOf = ({ value, key }: IndexEntry): Place => ({ key: value, uuid: key });

/**
 * Known players in these records.
 * @param mostSorted as `MOST_SORTED`
 */
export function createKnownStore(records: Records, mostSorted = MOST_SORTED): KnownStore {
  function storeVisits(transaction: Transaction, uuid: string, visits: readonly Visit[]): void {
    if (visits.length === 0) transaction.delete(VISITS, uuid);
    else transaction.put(VISITS, uuid, newestFirst(visits).slice(0, MAX_STAYS));
  }

  function store(transaction: Transaction, changes: ReadonlyMap<string, KnownChange>): void {
    const visits = transaction.getMany(
      VISITS,
      [...changes].flatMap(([uuid, { record, ended = [], forgets }]) =>
        record === undefined || forgets || ended.length > 0 ? [uuid] : [],
      ),
    );
    for (const [uuid, { record, ended = [], forgets = false }] of changes) {
      if (record) transaction.put(KNOWN, uuid, record);
      else transaction.delete(KNOWN, uuid);
      if (record === undefined) transaction.delete(VISITS, uuid);
      else if (forgets || ended.length > 0)
        storeVisits(transaction, uuid, [...ended, ...(forgets ? [] : (visits.get(uuid) ?? []))]);
    }
  }

  /** Erases those of these players who are still away. */
  const erase = (uuids: readonly string[], lease?: Lease): Promise<void> =>
    records.transact(
      transaction => {
        const found = transaction.getMany(KNOWN, uuids);
        const away = uuids.filter(uuid => {
          const record = found.get(uuid);
          return record === undefined || !isPresent(record);
        });
        store(transaction, new Map(away.map(uuid => [uuid, { record: undefined }])));
      },
      { lease },
    );

  /** Names with a prefix, read all and sorted. */
  async function few(prefix: string, from: IndexEntry | undefined, limit: number): Promise<IndexEntry[]> {
    const entries = await records.entries(KNOWN, "lowered", beginningWith(prefix));
    return entries
      .map(({ value, key }) => {
        const [low, name] = separated(value);
        return { value: joined(name, low), key };
      })
      .filter(entry => from === undefined || compare(placeOf(entry), placeOf(from)) > 0)
      .sort((one, other) => compare(placeOf(one), placeOf(other)))
      .slice(0, limit);
  }

  /**
   * Names with a prefix, read in the order of all names; `all`: how many there are. Past as many others it is cheaper to sort them.
   */
  async function many(
    prefix: string,
    after: IndexEntry | undefined,
    limit: number,
    all: number,
  ): Promise<IndexEntry[]> {
    const found: IndexEntry[] = [];
    let others = 0;
    const start = sortable(prefix);
    for (const unit of unitsOf(prefix)) {
      const range = beginningWith(sortable(unit));
      let from = after;
      // Mostly all of them have the prefix; where few do, the batches grow.
      for (
        let isMore = true, most = limit;
        isMore && found.length < limit;
        most = Math.min(2 * most, MOST_IN_SLICE)
      ) {
        const slice = await records.entries(KNOWN, "name", { ...range, after: from, limit: most });
        const own = slice.filter(({ value }) => separated(value)[1].startsWith(start));
        found.push(...own);
        others += slice.length - own.length;
        if (others > all && found.length < limit) return few(start, after, limit);
        from = slice.at(-1);
        isMore = slice.length === most;
      }
    }
    return found.slice(0, limit);
  }

  async function look(
    { sort, prefix = "" }: KnownQuery,
    after: IndexEntry | undefined,
    limit: number,
  ): Promise<IndexEntry[]> {
    if (prefix === "") return records.entries(KNOWN, sort, { after, limit });
    const count = await records.count(KNOWN, "lowered", beginningWith(sortable(prefix)));
    return count <= mostSorted ? few(sortable(prefix), after, limit) : many(prefix, after, limit, count);
  }

  return {
    read: uuids => records.getMany(KNOWN, uuids),
    present: async () => new Map((await lookUp(records, KNOWN, "present", {})).found),
    async change(uuids, decide, { most, lease }) {
      for (let at = 0; at < uuids.length; at += MOST_AT_ONCE) {
        const slice = uuids.slice(at, at + MOST_AT_ONCE);
        const decided = new Map<
          string,
          { record: KnownRecord | undefined; change: KnownChange | undefined }
        >();
        await records.transact(
          transaction => {
            const found = transaction.getMany(KNOWN, slice);
            const changes = new Map<string, KnownChange>();
            for (const uuid of slice) {
              const record = found.get(uuid);
              const before = decided.get(uuid);
              // Decided once for a record that has not changed: the transaction may run again to read visits.
              const change =
                before && isDeepStrictEqual(before.record, record) ? before.change : decide(uuid, record);
              decided.set(uuid, { record, change });
              if (change) changes.set(uuid, change);
            }
            store(transaction, changes);
          },
          { lease },
        );
      }
      const past = (await records.size(KNOWN)) - most;
      if (past <= 0) return;
      const { entries } = await lookUp(records, KNOWN, "away", { limit: Math.min(past, MOST_ERASED) });
      await erase(keysOf(entries), lease);
    },
    async named(name) {
      const { found } = await lookUp(records, KNOWN, "folded", exactly(sortable(foldName(name))));
      return found.filter(([, record]) => hasHadName(record, name));
    },
    async page(query) {
      const { sort, after, limit } = query;
      const found: [string, KnownRecord][] = [];
      let from = after && { value: orderOf(after.key), key: after.uuid };
      // Behind those that are damaged stand others.
      for (let isMore = true; isMore && found.length < limit; ) {
        const left = limit - found.length;
        const entries: IndexEntry[] = await look(query, from, left);
        found.push(...(await foundBy(records, KNOWN, sort, entries)));
        from = entries.at(-1);
        isMore = entries.length === left;
      }
      return found;
    },
    all: () => records.all(KNOWN),
    count: (prefix = "") =>
      prefix === ""
        ? records.count(KNOWN, "name")
        : records.count(KNOWN, "lowered", beginningWith(sortable(prefix))),
    visits: async (uuid, limit) => ((await records.get(VISITS, uuid)) ?? []).slice(0, limit),
    async tidy({ unseenSince, endedBefore }) {
      const most = { limit: MOST_ERASED };
      const { entries: unseen } = await lookUp(records, KNOWN, "away", { to: ordered(unseenSince), ...most });
      if (unseen.length > 0) await erase(keysOf(unseen));
      const { entries: past } = await lookUp(records, VISITS, "oldest", {
        to: ordered(endedBefore),
        ...most,
      });
      if (past.length > 0)
        await records.transact(transaction => {
          const found = transaction.getMany(VISITS, keysOf(past));
          // Damaged ones are erased, too.
          for (const uuid of keysOf(past)) {
            const visits = found.get(uuid) ?? [];
            storeVisits(
              transaction,
              uuid,
              visits.filter(({ to }) => to >= endedBefore),
            );
          }
        });
      return unseen.length < MOST_ERASED && past.length < MOST_ERASED;
    },
    clear: () => records.clear([KNOWN, VISITS]),
  };
}

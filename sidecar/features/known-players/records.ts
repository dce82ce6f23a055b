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

/** A sort key as an index value. A name is followed by its lower case, which prefixes are compared with. */
function orderOf(key: Place["key"]): string {
  return typeof key === "string" ? joined(sortable(key), sortable(lowered(key))) : ordered(key);
}

/** Indexes of offline players who may be listed. Online players are in none: their keys change with each report. */
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

/** Ended visits of players, newest first, by uuid. */
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

/** A query for offline players who may be listed, see `isPresent` and `isListed`. */
export interface KnownQuery {
  sort: KnownSort;
  /** only players after this position */
  after?: Place | undefined;
  /** only players whose lower-case name has this prefix; only with `sort` `name` */
  prefix?: string | undefined;
  limit: number;
}

/** Known players, by uuid. Several sidecar processes may share one store. Once its promise settles, a change survives a kill. */
export interface KnownStore {
  /** The records of these players, without unknown ones. */
  read(uuids: readonly string[]): Promise<ReadonlyMap<string, KnownRecord>>;
  /** Players with an open visit. */
  present(): Promise<ReadonlyMap<string, KnownRecord>>;
  /**
   * Changes the records of these players, each atomically: `decide` gets a record (undefined if there is none) and returns the change
   * (undefined for none); it may be called more than once. Over `most` players, the one offline for longest is erased.
   */
  change(
    uuids: readonly string[],
    decide: (uuid: string, record: KnownRecord | undefined) => KnownChange | undefined,
    options: { most: number; lease?: Lease | undefined },
  ): Promise<void>;
  /** Players who have or had a name, compared by `foldName`, including online and hidden ones. */
  named(name: string): Promise<readonly (readonly [uuid: string, record: KnownRecord])[]>;
  /** The players of a query, in its order. */
  page(query: KnownQuery): Promise<readonly (readonly [uuid: string, record: KnownRecord])[]>;
  /**
   * All records, including those of online, hidden or forgotten players, unsorted, in batches of a few hundred, each once. One that
   * changes during the call is returned as before or after that.
   */
  all(): AsyncIterable<readonly (readonly [uuid: string, record: KnownRecord])[]>;
  /** Number of players that `page` iterates over. */
  count(prefix?: string): Promise<number>;
  /** Ended visits of a player, newest first, at most `limit`. */
  visits(uuid: string, limit: number): Promise<readonly Visit[]>;
  /**
   * Erases players not seen since `unseenSince`, and visits that ended before `endedBefore`, in a batch that takes a few milliseconds.
   * Returns false if there may be more.
   */
  cleanUp(before: { unseenSince: number; endedBefore: number }): Promise<boolean>;
  /** Erases everything; costs nothing if there is nothing. */
  clear(): Promise<void>;
}

/** Players changed in one transaction, and erased in one. */
const BATCH_SIZE = 100;
const ERASE_BATCH_SIZE = 50;
/** With more names of a prefix than this, a page is found by scanning names in order, instead of sorting them. */
const MAX_SORTED = 1_000;
/** Names read in one request of that scan. */
const SLICE_SIZE = 1_000;

const keysOf = (entries: readonly IndexEntry[]): string[] => entries.map(({ key }) => key);
const placeOf = ({ value, key }: IndexEntry): Place => ({ key: value, uuid: key });

/**
 * Stores known players in the given records.
 * @param maxSorted as `MAX_SORTED`
 */
export function createKnownStore(records: Records, maxSorted = MAX_SORTED): KnownStore {
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

  /** Erases those of these players who are still offline. */
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

  /** Names with a prefix: reads all of them and sorts them. */
  async function sortAll(prefix: string, from: IndexEntry | undefined, limit: number): Promise<IndexEntry[]> {
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

  /** Names with a prefix, scanned in the order of all names; `all`: number of names. After as many others, sorting is cheaper. */
  async function scan(
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
      // Usually all of them have the prefix; if only few do, the batches grow.
      for (
        let isMore = true, most = limit;
        isMore && found.length < limit;
        most = Math.min(2 * most, SLICE_SIZE)
      ) {
        const slice = await records.entries(KNOWN, "name", { ...range, after: from, limit: most });
        const own = slice.filter(({ value }) => separated(value)[1].startsWith(start));
        found.push(...own);
        others += slice.length - own.length;
        if (others > all && found.length < limit) return sortAll(start, after, limit);
        from = slice.at(-1);
        isMore = slice.length === most;
      }
    }
    return found.slice(0, limit);
  }

  async function findNames(
    { sort, prefix = "" }: KnownQuery,
    after: IndexEntry | undefined,
    limit: number,
  ): Promise<IndexEntry[]> {
    if (prefix === "") return records.entries(KNOWN, sort, { after, limit });
    const count = await records.count(KNOWN, "lowered", beginningWith(sortable(prefix)));
    return count <= maxSorted ? sortAll(sortable(prefix), after, limit) : scan(prefix, after, limit, count);
  }

  return {
    read: uuids => records.getMany(KNOWN, uuids),
    present: async () => new Map((await lookUp(records, KNOWN, "present", {})).found),
    async change(uuids, decide, { most, lease }) {
      for (let at = 0; at < uuids.length; at += BATCH_SIZE) {
        const slice = uuids.slice(at, at + BATCH_SIZE);
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
              // Decided once for an unchanged record: the transaction may run again to read visits.
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
      const { entries } = await lookUp(records, KNOWN, "away", { limit: Math.min(past, ERASE_BATCH_SIZE) });
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
      // There may be more after damaged ones.
      for (let isMore = true; isMore && found.length < limit; ) {
        const left = limit - found.length;
        const entries: IndexEntry[] = await findNames(query, from, left);
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
    async cleanUp({ unseenSince, endedBefore }) {
      const most = { limit: ERASE_BATCH_SIZE };
      const { entries: stale } = await lookUp(records, KNOWN, "away", { to: ordered(unseenSince), ...most });
      if (stale.length > 0) await erase(keysOf(stale));
      const { entries: past } = await lookUp(records, VISITS, "oldest", {
        to: ordered(endedBefore),
        ...most,
      });
      if (past.length > 0)
        await records.transact(transaction => {
          const found = transaction.getMany(VISITS, keysOf(past));
          // Damaged ones are erased as well.
          for (const uuid of keysOf(past)) {
            const visits = found.get(uuid) ?? [];
            storeVisits(
              transaction,
              uuid,
              visits.filter(({ to }) => to >= endedBefore),
            );
          }
        });
      return stale.length < ERASE_BATCH_SIZE && past.length < ERASE_BATCH_SIZE;
    },
    clear: () => records.clear([KNOWN, VISITS]),
  };
}

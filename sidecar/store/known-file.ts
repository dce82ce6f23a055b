import { join } from "node:path";
import { MOST_STAYS } from "../../shared/public/known.ts";
import { BEHIND_ALL, sortable, unitsOf } from "../domain/known-names.ts";
import { type KnownRecord, newestFirst, type Stay } from "../domain/known-players.ts";
import type { KnownChange, KnownQuery, KnownStore } from "../ports/known.ts";
import type { Log } from "../ports.ts";
import { createDamage } from "./damage.ts";
import {
  columnOf,
  columnsOf,
  hexOf,
  LISTED,
  packed,
  prepareKnown,
  type Row,
  recordIn,
  staysIn,
  stored,
  uuidIn,
} from "./known-rows.ts";
import { closeDatabase, isDamaged, openDatabase, quickTransaction, removeDatabase } from "./schema.ts";
import { isOfDamage, isRow, TABLES } from "./tables.ts";

/** Players who are erased in one step at most, and of whom visits are: each takes some 0.2 ms. */
const MOST_ERASED = 50;
export const KNOWN_FILE = "players.db";
/** Players who are read at once where all are gone through. */
const MOST_IN_SLICE = 500;
/** Sorting so many takes some milliseconds. */
const MOST_SORTED = 20_000;
/** Where a page goes on: the key as it is stored, and the uuid in hexadecimal digits. */
type From = readonly [key: unknown, id: unknown];
const BEFORE_ALL = -1e300;
const firstOf = (sort: KnownQuery["sort"]): From => (sort === "name" ? ["", ""] : [BEFORE_ALL, ""]);

const rowsOf = (rows: unknown[]): Row[] => rows.filter(isRow);
const playersIn = (row: unknown): number => (isRow(row) ? Number(row.players) : 0);

type Known = ReturnType<typeof prepareKnown>;

/**
 * Who has been here, in the file `players.db` of a folder, which is made and opened once it is needed. What was changed outlives
 * this process when its promise settles, and may be gone when the power fails. Each promise rejects with a `StoreError` while the
 * file cannot be used.
 */
export function openKnownFile(
  folder: string,
  log: Pick<Log, "warn">,
  /** where names of more players begin so, a page is looked for in the order of all names */
  mostSorted = MOST_SORTED,
): KnownStore {
  const file = join(folder, KNOWN_FILE);
  const damaged = createDamage(log, { file });
  let opened: Known | undefined;

  function use<T>(step: (known: Known) => T): T {
    try {
      opened ??= prepareKnown(openDatabase(file, TABLES.players, "head"));
      return step(opened);
    } catch (error) {
      throw isOfDamage(error) ? isDamaged(file) : error;
    }
  }
  const inOneStep = <T>(step: (known: Known) => T): T =>
    use(known => quickTransaction(known.database, () => step(known)));

  function close(): void {
    if (opened) closeDatabase(opened.database);
    opened = undefined;
  }

  function recordOf(row: Row): KnownRecord | undefined {
    const record = recordIn(row);
    if (record === undefined) damaged(`${row.id}`, "what is known of a player is damaged and counts as none");
    return record;
  }

  function staysOf(row: Row): Stay[] {
    const stays = staysIn(row);
    if (stays === undefined)
      damaged(`stays of ${row.id}`, "visits of a player are damaged and count as none");
    return stays ?? [];
  }

  const playersOf = (rows: readonly Row[]): [string, KnownRecord][] =>
    rows.flatMap(row => {
      const record = recordOf(row);
      return record ? [[uuidIn(row), record]] : [];
    });

  function erase({ remove, removeStays }: Known, id: unknown): void {
    remove.run([id]);
    removeStays.run([id]);
  }

  function keep(known: Known, uuid: string, { record, ended = [], forgets }: KnownChange): void {
    const id = hexOf(uuid);
    if (record) known.put.run(columnsOf(uuid, record));
    else erase(known, id);
    if (forgets) known.removeStays.run([id]);
    if (record === undefined || ended.length === 0) return;
    const before = rowsOf(known.stays.all([id])).flatMap(staysOf);
    known.putStays.run([id, ...packed(newestFirst([...ended, ...before]).slice(0, MOST_STAYS))]);
  }

  /** At most so many of a query, behind a place in its order. */
  function look(known: Known, { sort, prefix = "" }: KnownQuery, from: From, most: number): Row[] {
    if (prefix === "") return rowsOf(known.pages[sort].all([...from, most]));
    const bounds = [sortable(prefix), sortable(prefix) + BEHIND_ALL];
    if (playersIn(known.countFew.get([...bounds, mostSorted + 1])) <= mostSorted)
      return rowsOf(known.few.all([...from, most, ...bounds]));
    const found: Row[] = [];
    for (const unit of unitsOf(prefix).map(sortable)) {
      const left = most - found.length;
      if (left > 0)
        found.push(...rowsOf(known.many.all([...from, left, ...bounds, unit, unit + BEHIND_ALL])));
    }
    return found;
  }

  function page(known: Known, query: KnownQuery): [string, KnownRecord][] {
    const { sort, after, limit } = query;
    const found: [string, KnownRecord][] = [];
    let from: From | undefined = after ? [stored(after.key), hexOf(after.uuid)] : firstOf(sort);
    // Behind those that are damaged stand others.
    while (from && found.length < limit) {
      const left = limit - found.length;
      const rows = look(known, query, from, left);
      const last = rows.length === left ? rows.at(-1) : undefined;
      found.push(...playersOf(rows));
      from = last && [last[columnOf(sort)], last.id];
    }
    return found;
  }

  return {
    read: async uuids =>
      use(({ read }) => new Map(playersOf(uuids.flatMap(uuid => rowsOf(read.all([hexOf(uuid)])))))),
    present: async () => use(({ present }) => new Map(playersOf(rowsOf(present.all([]))))),
    change: async (uuids, decide, { most }) =>
      inOneStep(known => {
        for (const uuid of uuids) {
          const [record] = rowsOf(known.read.all([hexOf(uuid)])).map(recordOf);
          const change = decide(uuid, record);
          if (change) keep(known, uuid, change);
        }
        const past = rowsOf(known.counts.all([])).reduce((sum, row) => sum + playersIn(row), -most);
        if (past <= 0) return;
        for (const { id } of rowsOf(known.unseen.all([BEFORE_ALL, Math.min(past, MOST_ERASED)])))
          erase(known, id);
      }),
    page: async query => use(known => page(known, query)),
    async *all() {
      for (let from: unknown = ""; from !== undefined; ) {
        const rows = use(({ slice }) => rowsOf(slice.all([from, MOST_IN_SLICE])));
        yield playersOf(rows);
        from = rows.at(-1)?.id;
      }
    },
    count: async (prefix = "") =>
      use(known =>
        prefix === ""
          ? playersIn(rowsOf(known.counts.all([])).find(({ standing }) => standing === LISTED))
          : playersIn(known.count.get([sortable(prefix), sortable(prefix) + BEHIND_ALL])),
      ),
    stays: async (uuid, limit) =>
      use(({ stays }) =>
        rowsOf(stays.all([hexOf(uuid)]))
          .flatMap(staysOf)
          .slice(0, limit),
      ),
    tidy: async ({ unseenSince, endedBefore }) =>
      inOneStep(known => {
        const unseen = rowsOf(known.unseen.all([-unseenSince, MOST_ERASED]));
        for (const { id } of unseen) erase(known, id);
        const past = rowsOf(known.endedFirst.all([endedBefore, MOST_ERASED]));
        for (const row of past) {
          const kept = staysOf(row).filter(({ to }) => to >= endedBefore);
          if (kept.length > 0) known.putStays.run([row.id, ...packed(kept)]);
          else known.removeStays.run([row.id]);
        }
        return unseen.length < MOST_ERASED && past.length < MOST_ERASED;
      }),
    async clear() {
      close();
      removeDatabase(file, TABLES.players);
    },
    close: async () => close(),
  };
}

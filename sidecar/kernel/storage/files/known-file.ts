import { join } from "node:path";
import type { SQLInputValue } from "node:sqlite";
import { folded } from "../../../../shared/names.ts";
import { MOST_STAYS } from "../../../../shared/public/known.ts";
import { BEHIND_ALL, sortable, unitsOf } from "../../../features/known-players/rules/known-names.ts";
import {
  foldedNames,
  hasHad,
  type KnownRecord,
  newestFirst,
  type Stay,
} from "../../../features/known-players/rules/known-players.ts";
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
import { isOfDamage, TABLES } from "./tables.ts";

/** Players who are erased in one step at most, and of whom visits are: each takes some 0.2 ms. */
const MOST_ERASED = 50;
export const KNOWN_FILE = "players.db";
/** Players who are read at once where all are gone through. */
const MOST_IN_SLICE = 500;
/** Sorting so many takes some milliseconds. */
const MOST_SORTED = 20_000;
/** Where a page goes on: the key as it is stored, and the uuid in hexadecimal digits. */
type From = readonly [key: SQLInputValue, id: string];
const BEFORE_ALL = -1e300;
const firstOf = (sort: KnownQuery["sort"]): From => (sort === "name" ? ["", ""] : [BEFORE_ALL, ""]);

const playersIn = (row: Row | undefined): number => Number(row?.players ?? 0);

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
  /** those who were present at a version of the file: every page needs them, and they change once in some seconds */
  let presentAt: { version: string; players: ReadonlyMap<string, KnownRecord> } | undefined;
  /** how many names begin with what was asked last, which the pages that follow ask again, at a version of the file */
  let countedAt: { version: string; prefix: string; players: number } | undefined;

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
    opened = presentAt = countedAt = undefined;
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

  function versionOf(known: Known): string {
    const { own, others } = known.version.get() ?? {};
    return `${own} ${others}`;
  }

  const boundsOf = (prefix: string) => [sortable(prefix), sortable(prefix) + BEHIND_ALL] as const;

  function countOf(known: Known, prefix: string): number {
    const version = versionOf(known);
    if (countedAt?.version !== version || countedAt.prefix !== prefix)
      countedAt = { version, prefix, players: playersIn(known.count.get(...boundsOf(prefix))) };
    return countedAt.players;
  }

  function present(known: Known): ReadonlyMap<string, KnownRecord> {
    const version = versionOf(known);
    if (presentAt?.version !== version)
      presentAt = { version, players: new Map(playersOf(known.present.all())) };
    return presentAt.players;
  }

  function erase({ remove, removeStays }: Known, id: string): void {
    remove.run(id);
    removeStays.run(id);
  }

  function keep(known: Known, uuid: string, { record, ended = [], forgets }: KnownChange): void {
    const id = hexOf(uuid);
    if (record) known.put.run(...columnsOf(uuid, record));
    else erase(known, id);
    const names = record ? foldedNames(record) : [];
    if (forgets || names.length === 0) known.removeNames.run(id);
    for (const name of names) known.putName.run(sortable(name), id);
    known.removeUnfolded.run(id);
    if (forgets) known.removeStays.run(id);
    if (record === undefined || ended.length === 0) return;
    const before = known.stays.all(id).flatMap(staysOf);
    known.putStays.run(id, ...packed(newestFirst([...ended, ...before]).slice(0, MOST_STAYS)));
  }

  /** At most so many of a query, behind a place in its order. */
  function look(known: Known, { sort, prefix = "" }: KnownQuery, from: From, most: number): Row[] {
    if (prefix === "") return known.pages[sort].all(...from, most);
    const bounds = boundsOf(prefix);
    if (countOf(known, prefix) <= mostSorted) return known.few.all(...from, ...bounds, most);
    const found: Row[] = [];
    for (const unit of unitsOf(prefix).map(sortable)) {
      const left = most - found.length;
      if (left > 0) found.push(...known.many.all(...from, ...bounds, unit, unit + BEHIND_ALL, left));
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
      from = last && [last[columnOf(sort)] ?? null, String(last.id)];
    }
    return found;
  }

  return {
    read: async uuids => use(({ read }) => new Map(playersOf(uuids.flatMap(uuid => read.all(hexOf(uuid)))))),
    present: async () => use(present),
    change: async (uuids, decide, { most }) =>
      inOneStep(known => {
        for (const uuid of uuids) {
          const [record] = known.read.all(hexOf(uuid)).map(recordOf);
          const change = decide(uuid, record);
          if (change) keep(known, uuid, change);
        }
        const past = known.counts.all().reduce((sum, row) => sum + playersIn(row), -most);
        if (past <= 0) return;
        for (const { id } of known.unseen.all({ after: BEFORE_ALL, most: Math.min(past, MOST_ERASED) }))
          erase(known, String(id));
      }),
    named: async name =>
      use(({ named }) =>
        playersOf(named.all(sortable(folded(name)))).filter(([, record]) => hasHad(record, name)),
      ),
    page: async query => use(known => page(known, query)),
    async *all() {
      const behind = (id: string): Row[] => use(({ slice }) => slice.all(id, MOST_IN_SLICE));
      for (let rows = behind(""); rows.length > 0; rows = behind(String(rows.at(-1)?.id)))
        yield playersOf(rows);
    },
    count: async (prefix = "") =>
      use(known =>
        prefix === ""
          ? playersIn(known.counts.all().find(({ standing }) => standing === LISTED))
          : countOf(known, prefix),
      ),
    stays: async (uuid, limit) => use(({ stays }) => stays.all(hexOf(uuid)).flatMap(staysOf).slice(0, limit)),
    tidy: async ({ unseenSince, endedBefore }) =>
      inOneStep(known => {
        const unseen = known.unseen.all({ after: -unseenSince, most: MOST_ERASED });
        for (const { id } of unseen) erase(known, String(id));
        const past = known.endedFirst.all(endedBefore, MOST_ERASED);
        for (const row of past) {
          const kept = staysOf(row).filter(({ to }) => to >= endedBefore);
          if (kept.length > 0) known.putStays.run(String(row.id), ...packed(kept));
          else known.removeStays.run(String(row.id));
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

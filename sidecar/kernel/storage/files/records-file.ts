import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { dropOldest } from "../../../../shared/drop-oldest.ts";
import type { Collection, Records } from "../records.ts";
import { BEHIND_ALL, type IndexEntry, startOf } from "../records.ts";
import { type Change, type DamageListener, decideOn, recordsOf } from "../transaction.ts";
import {
  type CheckScope,
  closeDatabase,
  damagedError,
  isCorruption,
  openDatabase,
  quickTransaction,
  removeDatabase,
  type Schema,
  transaction,
} from "./database.ts";
import {
  type MigratedRecord,
  prepareRecords,
  type Statements,
  storeMigrated,
  tablesOf,
  writeRecord,
} from "./record-tables.ts";
import { openStreamTable, type StoredStream, type StreamChange, streamTables } from "./stream-tables.ts";

/** Expired records that one change erases. */
const MAX_EXPIRED = 100;
/** Records of one slice when reading all of them. */
const MAX_SLICE = 500;
/** Cached records, such as those of online players, which every page needs. */
const MAX_CACHED = 1_000;

/** A file of records. */
export interface RecordsFile extends Records {
  /** Opens the file if it is not open. @throws StoreError if it cannot be used */
  open(): DatabaseSync;
  close(): void;
  /** The stored texts of a collection whose records do not expire. */
  texts(of: Collection<unknown>): Iterable<[key: string, text: string]>;
  stream(name: string): StoredStream;
  /**
   * Writes all changes or none. They survive the end of the process, and a power failure if `isDurable`.
   * @throws StorageFull
   */
  write(batch: FileChanges, isDurable?: boolean): void;
}

/** Changes of records, and of streams by their names. */
interface FileChanges {
  changes: readonly Change[];
  streams: ReadonlyMap<string, StreamChange>;
}

/**
 * Records in an SQLite file, which is opened or created when it is first needed. Once its promise settles, a change survives the end of
 * the process, and a power failure if it is durable. Several processes may use one file.
 */
export function createRecordsFile(deps: {
  path: string;
  collections: readonly Collection<unknown>[];
  /** names of its streams */
  streams?: readonly string[];
  /** version of the collections' tables, and the records from the tables of an earlier version */
  version: number;
  migrate(database: DatabaseSync): Iterable<MigratedRecord>;
  checkScope: CheckScope;
  /** milliseconds since 1970, by a steady clock */
  now(): number;
  damaged: DamageListener;
}): RecordsFile {
  const { path, checkScope, now, damaged } = deps;
  const schema: Schema = {
    version: deps.version,
    migrate(database, from) {
      for (const of of deps.collections) database.exec(tablesOf(of));
      if (from > 0) storeMigrated(database, deps.collections, deps.migrate(database));
      if (deps.streams) database.exec(streamTables(deps.streams));
    },
  };
  let opened:
    | {
        database: DatabaseSync;
        of: Map<string, Statements>;
        streams: Map<string, ReturnType<typeof openStreamTable>>;
      }
    | undefined;
  /** level of SQLite's `synchronous` set by `write`; blank: unknown */
  let synchronous = "";
  /** records read and counts made since another process wrote, kept up to date with changes of this process */
  let cache = emptyCache();

  function use<T>(step: (database: DatabaseSync) => T): T {
    try {
      opened ??= { database: openDatabase(path, schema, checkScope), of: new Map(), streams: new Map() };
      return step(opened.database);
    } catch (error) {
      throw isCorruption(error) ? damagedError(path) : error;
    }
  }

  /** Whether there is a file to read: it is created by the first change. */
  const exists = (): boolean => opened !== undefined || existsSync(path);

  function statementsOf(of: Collection<unknown>): Statements {
    return use(database => {
      const known = opened?.of.get(of.name) ?? prepareRecords(database, of);
      opened?.of.set(of.name, known);
      return known;
    });
  }

  function streamOf(name: string): ReturnType<typeof openStreamTable> {
    return use(database => {
      const known = opened?.streams.get(name) ?? openStreamTable(database, name);
      opened?.streams.set(name, known);
      return known;
    });
  }

  function load(of: Collection<unknown>, keys: readonly string[]): (string | undefined)[] {
    const { read } = statementsOf(of);
    return use(() =>
      keys.map(key => {
        const row = read.get(key, now());
        return row && String(row.record);
      }),
    );
  }

  function read<R>(of: Collection<R>, keys: readonly string[]): [key: string, record: R][] {
    if (!exists()) return [];
    if (of.expires) return recordsOf(of, keys, load(of, keys), damaged);
    const { records } = currentCache();
    const missing = keys.filter(key => !records.has(cacheKey(of, key)));
    for (const [key, record] of recordsOf(of, missing, load(of, missing), damaged))
      records.set(cacheKey(of, key), record);
    const found = keys.flatMap((key): [string, R][] => {
      const record = records.get(cacheKey(of, key)) as R | undefined;
      return record === undefined ? [] : [[key, record]];
    });
    dropOldest(records, MAX_CACHED);
    return found;
  }

  function store(change: Change): void {
    const statements = statementsOf(change.of);
    cache.records.delete(cacheKey(change.of, change.key));
    if (change.forMs !== undefined) statements.removeExpired.run(now(), MAX_EXPIRED);
    writeRecord(statements, change, change.forMs && Math.ceil(now() + change.forMs));
  }

  /** Updates the cached counts after a change of this process. */
  function recount({ of, before, after, removed, added }: Change): void {
    const add = (name: string, more: number): void => {
      const count = cache.counts.get(name);
      if (count !== undefined) cache.counts.set(name, count + more);
    };
    add(of.name, Number(after !== undefined) - Number(before !== undefined));
    for (const { index } of removed) add(`${of.name} ${index}`, -1);
    for (const { index } of added) add(`${of.name} ${index}`, 1);
  }

  /** The cache, emptied if another process has written. */
  function currentCache(): typeof cache {
    return use(database => {
      const version = Number(database.prepare("PRAGMA data_version").get()?.data_version);
      if (cache.version !== version) cache = emptyCache(version);
      return cache;
    });
  }

  function counted(name: string, count: () => number): number {
    const { counts } = currentCache();
    const known = counts.get(name) ?? count();
    counts.set(name, known);
    return known;
  }

  function* slices(of: Collection<unknown>): Generator<[key: string, text: string][]> {
    if (!exists()) return;
    const { slice } = statementsOf(of);
    const behind = (key: string) => use(() => slice.all(key, MAX_SLICE));
    for (let rows = behind(""); rows.length > 0; rows = behind(String(rows.at(-1)?.key)))
      yield rows.map(({ key, record }): [string, string] => [String(key), String(record)]);
  }

  function close(): void {
    if (opened) closeDatabase(opened.database);
    opened = undefined;
    synchronous = "";
    cache = emptyCache();
  }

  return {
    open: () => use(database => database),
    close,
    *texts(of) {
      for (const slice of slices(of)) yield* slice;
    },
    stream: name => use(() => streamOf(name).read()),
    write: ({ changes, streams }, isDurable = false) =>
      use(database => {
        const level = isDurable ? "FULL" : "NORMAL";
        if (level !== synchronous) database.exec(`PRAGMA synchronous = ${level}`);
        synchronous = level;
        const step = (): void => {
          for (const change of changes) store(change);
          for (const [name, change] of streams) streamOf(name).write(change);
        };
        // Most often it is one chat message, and a single statement is atomic anyway.
        if (changes.length === 0 && isOneEntry(streams)) step();
        else transaction(database, step);
      }),
    get: async (of, key) => read(of, [key])[0]?.[1],
    getMany: async (of, keys) => new Map(read(of, keys)),
    async entries(of, index, range) {
      if (!exists()) return [];
      const { to = BEHIND_ALL, limit = -1 } = range;
      const { value, key } = startOf(range);
      const { entries } = statementsOf(of);
      return use(() => entries.all(index, value, key, to, limit)).map(entryOf);
    },
    async count(of, index, range) {
      if (!exists()) return 0;
      const { count } = statementsOf(of);
      const { from = "", to = BEHIND_ALL } = range ?? {};
      const found = (): number => Number(use(() => count.get(index, from, to))?.count);
      return range === undefined ? counted(`${of.name} ${index}`, found) : found();
    },
    async size(of) {
      if (!exists()) return 0;
      const { size } = statementsOf(of);
      return counted(of.name, () => Number(size.get()?.count));
    },
    async *all(of) {
      for (const slice of slices(of))
        yield recordsOf(
          of,
          slice.map(([key]) => key),
          slice.map(([, text]) => text),
          damaged,
        );
    },
    async clear() {
      close();
      if (existsSync(path)) removeDatabase(path, schema);
    },
    checkWritable: async () =>
      // More than the free space that the file itself may have.
      use(database =>
        transaction(database, () => {
          database.exec("CREATE TABLE IF NOT EXISTS room (room TEXT); DELETE FROM room");
          database.exec("INSERT INTO room VALUES (hex(zeroblob(8192)))");
        }),
      ),
    async transact(decide) {
      const run = (isToDisk: boolean) => {
        const decided = decideOn(decide, load, damaged);
        const mustWait = decided.isDurable && decided.changes.length > 0 && !isToDisk;
        if (!mustWait) for (const change of decided.changes) store(change);
        return { ...decided, mustWait };
      };
      return use(database => {
        synchronous = "";
        const quick = quickTransaction(database, () => run(false));
        const { answer, changes } = quick.mustWait ? transaction(database, () => run(true)) : quick;
        for (const change of changes) recount(change);
        return answer;
      });
    },
  };
}

const emptyCache = (version?: number) => ({
  version,
  records: new Map<string, unknown>(),
  counts: new Map<string, number>(),
});

const cacheKey = ({ name }: Collection<unknown>, key: string): string => `${name} ${key}`;

/** Whether only a single entry is to be written. */
function isOneEntry(streams: FileChanges["streams"]): boolean {
  const [one, ...more] = streams.values();
  return one?.entries.length === 1 && one.dropped.length === 0 && !one.begun && more.length === 0;
}

const entryOf = ({ value, key }: Record<string, unknown>): IndexEntry => ({
  value: String(value),
  key: String(key),
});

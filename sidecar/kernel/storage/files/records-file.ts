import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { dropOldest } from "../../../../shared/drop-oldest.ts";
import type { Collection, Records } from "../records.ts";
import { BEHIND_ALL, type IndexEntry, startOf } from "../records.ts";
import { type Change, type Damaged, decideOn, recordsOf } from "../transaction.ts";
import {
  closeDatabase,
  isDamaged,
  isOfDamage,
  type Look,
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

/** Records that have ended are erased in passing, so many at a time. */
const MOST_ENDED = 100;
/** Records that are read at once where all are gone through. */
const MOST_IN_SLICE = 500;
/** Records that are held as they were read last, such as those of players online, whom every page needs. */
const MOST_HELD = 1_000;

/** A file of records. */
export interface RecordsFile extends Records {
  /** Opens the file if it is not open. @throws StoreError when it cannot be used */
  open(): DatabaseSync;
  close(): void;
  /** The stored texts of a collection whose records do not expire. */
  texts(of: Collection<unknown>): Iterable<[key: string, text: string]>;
  stream(name: string): StoredStream;
  /**
   * Writes all of it or nothing. What was written outlives the process, and a loss of power where it is durable.
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
 * Records in an SQLite file, which is opened, and made, once it is needed. What was changed outlives this process when its promise
 * settles, and a loss of power where the change is durable. Several processes may use one file.
 */
export function createRecordsFile(deps: {
  path: string;
  collections: readonly Collection<unknown>[];
  /** names of its streams */
  streams?: readonly string[];
  /** version of the tables that collections have there, and the records in the tables of an earlier version */
  version: number;
  migrate(database: DatabaseSync): Iterable<MigratedRecord>;
  look: Look;
  /** milliseconds since 1970 by a clock that goes on steadily */
  now(): number;
  damaged: Damaged;
}): RecordsFile {
  const { path, look, now, damaged } = deps;
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
  /** how much of a change is on the disk when it is made, since it was written without `transact` */
  let synchronous = "";
  /** what was read and counted since another process wrote, with the changes of this process */
  let held = nothingHeld();

  function use<T>(step: (database: DatabaseSync) => T): T {
    try {
      opened ??= { database: openDatabase(path, schema, look), of: new Map(), streams: new Map() };
      return step(opened.database);
    } catch (error) {
      throw isOfDamage(error) ? isDamaged(path) : error;
    }
  }

  /** Whether there is anything to read: nothing makes the file before something is to be kept. */
  const isThere = (): boolean => opened !== undefined || existsSync(path);

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
    if (!isThere()) return [];
    if (of.expires) return recordsOf(of, keys, load(of, keys), damaged);
    const { records } = heldNow();
    const missing = keys.filter(key => !records.has(heldAs(of, key)));
    for (const [key, record] of recordsOf(of, missing, load(of, missing), damaged))
      records.set(heldAs(of, key), record);
    const found = keys.flatMap((key): [string, R][] => {
      const record = records.get(heldAs(of, key)) as R | undefined;
      return record === undefined ? [] : [[key, record]];
    });
    dropOldest(records, MOST_HELD);
    return found;
  }

  function store(change: Change): void {
    const statements = statementsOf(change.of);
    held.records.delete(heldAs(change.of, change.key));
    if (change.forMs !== undefined) statements.removeEnded.run(now(), MOST_ENDED);
    writeRecord(statements, change, change.forMs && Math.ceil(now() + change.forMs));
  }

  /** Counts what this process has changed. */
  function recount({ of, before, after, removed, added }: Change): void {
    const add = (name: string, more: number): void => {
      const count = held.counts.get(name);
      if (count !== undefined) held.counts.set(name, count + more);
    };
    add(of.name, Number(after !== undefined) - Number(before !== undefined));
    for (const { index } of removed) add(`${of.name} ${index}`, -1);
    for (const { index } of added) add(`${of.name} ${index}`, 1);
  }

  /** What is held, if no other process has written since. */
  function heldNow(): typeof held {
    return use(database => {
      const version = Number(database.prepare("PRAGMA data_version").get()?.data_version);
      if (held.version !== version) held = nothingHeld(version);
      return held;
    });
  }

  function counted(name: string, count: () => number): number {
    const { counts } = heldNow();
    const known = counts.get(name) ?? count();
    counts.set(name, known);
    return known;
  }

  function* slices(of: Collection<unknown>): Generator<[key: string, text: string][]> {
    if (!isThere()) return;
    const { slice } = statementsOf(of);
    const behind = (key: string) => use(() => slice.all(key, MOST_IN_SLICE));
    for (let rows = behind(""); rows.length > 0; rows = behind(String(rows.at(-1)?.key)))
      yield rows.map(({ key, record }): [string, string] => [String(key), String(record)]);
  }

  function close(): void {
    if (opened) closeDatabase(opened.database);
    opened = undefined;
    synchronous = "";
    held = nothingHeld();
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
        // Most often it is one line from the web, and one statement is all or nothing by itself.
        if (changes.length === 0 && isOneEntry(streams)) step();
        else transaction(database, step);
      }),
    get: async (of, key) => read(of, [key])[0]?.[1],
    getMany: async (of, keys) => new Map(read(of, keys)),
    async entries(of, index, range) {
      if (!isThere()) return [];
      const { to = BEHIND_ALL, limit = -1 } = range;
      const { value, key } = startOf(range);
      const { entries } = statementsOf(of);
      return use(() => entries.all(index, value, key, to, limit)).map(entryOf);
    },
    async count(of, index, range) {
      if (!isThere()) return 0;
      const { count } = statementsOf(of);
      const { from = "", to = BEHIND_ALL } = range ?? {};
      const found = (): number => Number(use(() => count.get(index, from, to))?.count);
      return range === undefined ? counted(`${of.name} ${index}`, found) : found();
    },
    async size(of) {
      if (!isThere()) return 0;
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
      // More than the room that the file itself may have left.
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

const nothingHeld = (version?: number) => ({
  version,
  records: new Map<string, unknown>(),
  counts: new Map<string, number>(),
});

const heldAs = ({ name }: Collection<unknown>, key: string): string => `${name} ${key}`;

/** Whether nothing but one entry is to be written. */
function isOneEntry(streams: FileChanges["streams"]): boolean {
  const [one, ...more] = streams.values();
  return one?.entries.length === 1 && one.dropped.length === 0 && !one.begun && more.length === 0;
}

const entryOf = ({ value, key }: Record<string, unknown>): IndexEntry => ({
  value: String(value),
  key: String(key),
});

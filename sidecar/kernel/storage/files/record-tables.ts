import type { DatabaseSync } from "node:sqlite";
import type { Collection } from "../records.ts";
import { type Change, valuesOf } from "../transaction.ts";

/** A record from the tables of an earlier version. */
export interface MigratedRecord {
  of: Collection<unknown>;
  key: string;
  text: string;
  /** when it expires, in milliseconds since 1970 */
  until?: number;
}

/** Stores the records of an earlier version. Index entries are inserted in order: random inserts into a tree are slow. */
export function storeMigrated(
  database: DatabaseSync,
  collections: readonly Collection<unknown>[],
  records: Iterable<MigratedRecord>,
): void {
  database.exec("CREATE TEMP TABLE entries (collection TEXT, name TEXT, value TEXT, key TEXT)");
  const put = database.prepare("INSERT INTO temp.entries (collection, name, value, key) VALUES (?, ?, ?, ?)");
  const statements = new Map(collections.map(of => [of.name, prepareRecords(database, of)]));
  for (const { of, key, text, until } of records) {
    statements.get(of.name)?.put.run(key, text, until ?? null);
    for (const { index, value } of valuesOf(of, key, text)) put.run(of.name, index, value, key);
  }
  for (const of of collections)
    database
      .prepare(
        `INSERT INTO ${indexOfName(of)} SELECT name, value, key FROM temp.entries WHERE collection = ?
         ORDER BY name, value, key`,
      )
      .run(of.name);
  database.exec("DROP TABLE temp.entries");
}

export type Statements = ReturnType<typeof prepareRecords>;

/** Stores or removes a record with its index entries. `until`: when it expires, in milliseconds since 1970. */
export function writeRecord(
  statements: Statements,
  { key, after, removed, added }: Change,
  until?: number,
): void {
  if (after === undefined) statements.remove.run(key);
  else statements.put.run(key, after, until ?? null);
  for (const { index, value } of removed) statements.removeEntry.run(index, value, key);
  for (const { index, value } of added) statements.putEntry.run(index, value, key);
}

const [recordsOfName, indexOfName] = [
  ({ name }: Collection<unknown>): string => `"${name} records"`,
  ({ name }: Collection<unknown>): string => `"${name} index"`,
];

/** SQL that creates the tables of a collection. */
export const tablesOf = (of: Collection<unknown>): string =>
  `CREATE TABLE ${recordsOfName(of)} (key TEXT PRIMARY KEY NOT NULL, record TEXT NOT NULL, until INTEGER) WITHOUT ROWID;
   CREATE TABLE ${indexOfName(of)} (name TEXT NOT NULL, value TEXT NOT NULL, key TEXT NOT NULL,
     PRIMARY KEY (name, value, key)) WITHOUT ROWID;
   CREATE INDEX "${of.name} until" ON ${recordsOfName(of)} (until) WHERE until IS NOT NULL;`;

/** Prepares the statements for a collection. */
export function prepareRecords(database: DatabaseSync, of: Collection<unknown>) {
  const [records, index] = [recordsOfName(of), indexOfName(of)];
  return {
    read: database.prepare(`SELECT record FROM ${records} WHERE key = ? AND (until IS NULL OR until > ?)`),
    slice: database.prepare(`SELECT key, record FROM ${records} WHERE key > ? ORDER BY key LIMIT ?`),
    size: database.prepare(`SELECT count(*) AS count FROM ${records}`),
    put: database.prepare(`INSERT OR REPLACE INTO ${records} (key, record, until) VALUES (?, ?, ?)`),
    remove: database.prepare(`DELETE FROM ${records} WHERE key = ?`),
    removeExpired: database.prepare(
      `DELETE FROM ${records} WHERE key IN (SELECT key FROM ${records} WHERE until <= ? ORDER BY until LIMIT ?)`,
    ),
    entries: database.prepare(
      `SELECT value, key FROM ${index} WHERE name = ? AND (value, key) > (?, ?) AND value < ?
       ORDER BY value, key LIMIT ?`,
    ),
    count: database.prepare(
      `SELECT count(*) AS count FROM ${index} WHERE name = ? AND value >= ? AND value < ?`,
    ),
    putEntry: database.prepare(`INSERT OR IGNORE INTO ${index} (name, value, key) VALUES (?, ?, ?)`),
    removeEntry: database.prepare(`DELETE FROM ${index} WHERE name = ? AND value = ? AND key = ?`),
  };
}

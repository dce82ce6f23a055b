import type { Schema } from "../../../kernel/storage/files/database.ts";

/** The tables of the feed. */
export const FEED: Schema = {
  version: 1,
  migrate: database =>
    database.exec(`CREATE TABLE events (epoch INTEGER NOT NULL, seq INTEGER NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (epoch, seq))
     WITHOUT ROWID;
   CREATE TABLE keys (place INTEGER PRIMARY KEY, key TEXT NOT NULL);
   CREATE TABLE hooks (url TEXT PRIMARY KEY, state TEXT NOT NULL);
   CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);`),
};

/**
 * A table of the newest of something, in a column of this name. It is no version of the tables: one of before passes over it, and
 * does not refuse the file.
 */
export const newestTable = (name: string, column: string): string =>
  `CREATE TABLE IF NOT EXISTS ${name} (place INTEGER PRIMARY KEY, ${column} TEXT NOT NULL)`;

/** What was counted for the plots of longer spans than an hour; no version of the tables either. */
export const MEANS_TABLE = `CREATE TABLE IF NOT EXISTS means
     (world TEXT NOT NULL, span TEXT NOT NULL, slot INTEGER NOT NULL, sums TEXT NOT NULL, PRIMARY KEY (world, span, slot))
     WITHOUT ROWID`;

import type Database from "libsql";
import { reasonOf } from "../../cli/errno.ts";

/**
 * Statements that lead from each version of the tables to the next, by file; their number is the newest version. Only
 * ever added to.
 */
export const TABLES: Readonly<Record<"links" | "feed", readonly string[]>> = {
  links: [
    `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
   CREATE TABLE links (session TEXT PRIMARY KEY, record TEXT NOT NULL, request TEXT, place INTEGER, due INTEGER);
   CREATE INDEX links_request ON links (request) WHERE request IS NOT NULL;
   CREATE INDEX links_place ON links (place) WHERE request IS NOT NULL;
   CREATE INDEX links_due ON links (due) WHERE due IS NOT NULL;`,
    // The player of an accepted link, so that all links to a player can be found.
    `ALTER TABLE links ADD COLUMN player TEXT;
   UPDATE links SET player = CASE WHEN json_valid(record)
     THEN CASE record ->> '$.link.status' WHEN 'accepted' THEN record ->> '$.link.player.uuid' END END;
   CREATE INDEX links_player ON links (player) WHERE player IS NOT NULL;`,
  ],
  feed: [
    `CREATE TABLE events (epoch INTEGER NOT NULL, seq INTEGER NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (epoch, seq))
     WITHOUT ROWID;
   CREATE TABLE keys (place INTEGER PRIMARY KEY, key TEXT NOT NULL);
   CREATE TABLE hooks (url TEXT PRIMARY KEY, state TEXT NOT NULL);
   CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);`,
  ],
};

/**
 * A table of the newest of something, in a column of this name. It is no version of the tables: one of before passes over it, and
 * does not refuse the file.
 */
export const newestTable = (name: string, column: string): string =>
  `CREATE TABLE IF NOT EXISTS ${name} (place INTEGER PRIMARY KEY, ${column} TEXT NOT NULL)`;

/** What players have chosen for all game servers; no version of the tables either, and only where there are several servers. */
export const CHOICES_TABLE = `CREATE TABLE IF NOT EXISTS choices
     (player TEXT PRIMARY KEY, server TEXT NOT NULL, blocked INTEGER, hidden INTEGER);
   CREATE INDEX IF NOT EXISTS choices_server ON choices (server);`;

/** What was counted for the plots of longer spans than an hour; no version of the tables either. */
export const MEANS_TABLE = `CREATE TABLE IF NOT EXISTS means
     (world TEXT NOT NULL, span TEXT NOT NULL, slot INTEGER NOT NULL, sums TEXT NOT NULL, PRIMARY KEY (world, span, slot))
     WITHOUT ROWID`;

/** Why a database cannot be used; undefined: it can. Nothing is changed in it. */
export function whyUnusable(
  database: Database.Database,
  newest: number,
): "damaged" | "newer" | "foreign" | undefined {
  if (isDamaged(database)) return "damaged";
  // In one transaction, so that another process that makes the tables meanwhile has done all of it or nothing.
  database.exec("BEGIN");
  const version = versionOf(database);
  const tables = database.prepare("SELECT name FROM sqlite_master LIMIT 1").all();
  database.exec("COMMIT");
  if (version > newest) return "newer";
  return version === 0 && tables.length > 0 ? "foreign" : undefined;
}

function isDamaged(database: Database.Database): boolean {
  try {
    const found = database.prepare("PRAGMA quick_check(1)").all()[0];
    return !isRow(found) || found.quick_check !== "ok";
  } catch (error) {
    if (["SQLITE_NOTADB", "SQLITE_CORRUPT"].includes(reasonOf(error))) return true;
    throw error;
  }
}

export function versionOf(database: Database.Database): number {
  const row = database.prepare("PRAGMA user_version").all()[0];
  return isRow(row) ? Number(row.user_version) : 0;
}

/** Whether a value is a row of a result. */
export const isRow = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

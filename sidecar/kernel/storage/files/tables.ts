import type { DatabaseSync } from "node:sqlite";
import { isErrno } from "../../../../cli/errno.ts";

/**
 * Statements that lead from each version of the tables to the next, by file; their number is the newest version. Only
 * ever added to.
 */
export const TABLES: Readonly<Record<"links" | "feed" | "players" | "bans", readonly string[]>> = {
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
  // `standing`: 0 present, 1 away and listed, 2 away and not listed. What players are sorted by rises in each order. An index ends
  // with the uuid by itself.
  players: [
    `CREATE TABLE players (uuid BLOB PRIMARY KEY NOT NULL, standing INTEGER NOT NULL, name TEXT NOT NULL, lowered TEXT NOT NULL,
     last_seen INTEGER NOT NULL, first_seen INTEGER NOT NULL, playtime INTEGER NOT NULL, kills INTEGER NOT NULL,
     deaths INTEGER NOT NULL, visits INTEGER NOT NULL, more TEXT NOT NULL) WITHOUT ROWID;
   CREATE INDEX players_present ON players (standing) WHERE standing = 0;
   CREATE INDEX players_last_seen ON players (last_seen) WHERE standing = 1;
   CREATE INDEX players_first_seen ON players (first_seen) WHERE standing = 1;
   CREATE INDEX players_playtime ON players (playtime) WHERE standing = 1;
   CREATE INDEX players_kills ON players (kills) WHERE standing = 1;
   CREATE INDEX players_deaths ON players (deaths) WHERE standing = 1;
   CREATE INDEX players_visits ON players (visits) WHERE standing = 1;
   CREATE INDEX players_name ON players (name, uuid, lowered) WHERE standing = 1;
   CREATE INDEX players_lowered ON players (lowered, name) WHERE standing = 1;
   CREATE INDEX players_unlisted ON players (last_seen) WHERE standing = 2;
   CREATE TABLE counts (standing INTEGER PRIMARY KEY, players INTEGER NOT NULL);
   INSERT INTO counts VALUES (0, 0), (1, 0), (2, 0);
   CREATE TRIGGER players_come AFTER INSERT ON players BEGIN
     UPDATE counts SET players = players + 1 WHERE standing = new.standing; END;
   CREATE TRIGGER players_go AFTER DELETE ON players BEGIN
     UPDATE counts SET players = players - 1 WHERE standing = old.standing; END;
   CREATE TRIGGER players_move AFTER UPDATE OF standing ON players WHEN old.standing <> new.standing BEGIN
     UPDATE counts SET players = players - 1 WHERE standing = old.standing;
     UPDATE counts SET players = players + 1 WHERE standing = new.standing; END;
   CREATE TABLE stays (uuid BLOB PRIMARY KEY NOT NULL, oldest INTEGER NOT NULL, visits BLOB NOT NULL) WITHOUT ROWID;
   CREATE INDEX stays_oldest ON stays (oldest);`,
  ],
  bans: [
    `CREATE TABLE head (list TEXT NOT NULL, up_to INTEGER NOT NULL);
   CREATE TABLE bans (key TEXT PRIMARY KEY NOT NULL, n INTEGER NOT NULL UNIQUE, ban TEXT NOT NULL) WITHOUT ROWID;`,
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

/**
 * Names that players have had, folded, and players whose names are not all in it yet: also an earlier build fills that, by the
 * triggers. No version of the tables either.
 */
export const NAMES_TABLE = `CREATE TABLE IF NOT EXISTS names (folded TEXT NOT NULL, uuid BLOB NOT NULL, PRIMARY KEY (folded, uuid))
     WITHOUT ROWID;
   CREATE INDEX IF NOT EXISTS names_uuid ON names (uuid);
   CREATE TRIGGER IF NOT EXISTS players_names_go AFTER DELETE ON players BEGIN
     DELETE FROM names WHERE uuid = old.uuid; END;
   CREATE TABLE unfolded (uuid BLOB NOT NULL);
   INSERT INTO unfolded SELECT uuid FROM players;
   CREATE TRIGGER players_names_come AFTER INSERT ON players BEGIN INSERT INTO unfolded VALUES (new.uuid); END;
   CREATE TRIGGER players_names_change AFTER UPDATE OF name ON players WHEN old.name <> new.name BEGIN
     INSERT INTO unfolded VALUES (new.uuid); END;`;

/** What was counted for the plots of longer spans than an hour; no version of the tables either. */
export const MEANS_TABLE = `CREATE TABLE IF NOT EXISTS means
     (world TEXT NOT NULL, span TEXT NOT NULL, slot INTEGER NOT NULL, sums TEXT NOT NULL, PRIMARY KEY (world, span, slot))
     WITHOUT ROWID`;

/** How much of a file is looked at: a large one as a whole takes too long for the start. */
export type Look = "whole" | "head";

/** What sign-ins have under way and have given out; no version of the tables either, and only where there are any. */
export const SIGN_IN_TABLE = `CREATE TABLE IF NOT EXISTS sign_ins
     (key TEXT PRIMARY KEY, text TEXT NOT NULL, until INTEGER NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID;
   CREATE INDEX IF NOT EXISTS sign_ins_until ON sign_ins (until);`;

/** Why a database cannot be used; undefined: it can. Nothing is changed in it. */
export function whyUnusable(
  database: DatabaseSync,
  newest: number,
  look: Look = "whole",
): "damaged" | "newer" | "foreign" | undefined {
  if (isDamaged(database, look)) return "damaged";
  // In one transaction, so that another process that makes the tables meanwhile has done all of it or nothing.
  database.exec("BEGIN");
  const version = versionOf(database);
  const tables = database.prepare("SELECT name FROM sqlite_master LIMIT 1").all();
  database.exec("COMMIT");
  if (version > newest) return "newer";
  return version === 0 && tables.length > 0 ? "foreign" : undefined;
}

const CHECKS: Readonly<Record<Look, string>> = {
  whole: "PRAGMA quick_check(1)",
  head: "PRAGMA quick_check(sqlite_schema)",
};

function isDamaged(database: DatabaseSync, look: Look): boolean {
  try {
    const found = database.prepare(CHECKS[look]).all()[0];
    return found?.quick_check !== "ok";
  } catch (error) {
    if (isOfDamage(error)) return true;
    throw error;
  }
}

/** Whether a statement has failed because the file is damaged. No integer in it is larger than a number can hold exactly. */
export const isOfDamage = (error: unknown): boolean =>
  isErrno(error, "SQLITE_NOTADB", "SQLITE_CORRUPT", "ERR_OUT_OF_RANGE");

export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.user_version);
}

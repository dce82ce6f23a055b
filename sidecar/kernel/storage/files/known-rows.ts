import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import { types } from "node:util";
import { check, checkJson, type Guard, int, list } from "../../../../shared/guard.ts";
import { MOST_STAYS } from "../../../../shared/public/known.ts";
import {
  KNOWN_SORTS,
  type KnownSort,
  keyOf,
  lowered,
  type Place,
  playerOf,
  type Standing,
  standingOf,
} from "../../../features/known-players/rules/known-list.ts";
import { nameIn, sortable } from "../../../features/known-players/rules/known-names.ts";
import {
  foldedNames,
  type KnownRecord,
  knownRecord,
  type Stay,
} from "../../../features/known-players/rules/known-players.ts";
import { transaction } from "./schema.ts";
import { NAMES_TABLE } from "./tables.ts";

type Statement = ReturnType<DatabaseSync["prepare"]>;

/** A row of a result, whose uuid is in `id` in hexadecimal digits. */
export type Row = Record<string, SQLOutputValue>;

export const LISTED = 1;
const STANDINGS: Readonly<Record<Standing, number>> = { present: 0, listed: LISTED, unlisted: 2 };

export const hexOf = (uuid: string): string => uuid.replaceAll("-", "");
export function uuidIn({ id }: Row): string {
  const hex = String(id);
  return [0, 8, 12, 16, 20].map((from, i, all) => hex.slice(from, all[i + 1])).join("-");
}

/** A key as it is stored. */
export const stored = (key: Place["key"]): Place["key"] => (typeof key === "string" ? sortable(key) : key);

/** The column that an order goes by. */
export const columnOf = (sort: KnownSort): string => sort.replace("-", "_");

/** What is stored of a player, in the order of the columns. */
export function columnsOf(uuid: string, record: KnownRecord): SQLInputValue[] {
  const player = playerOf(uuid, record, false);
  const keys = KNOWN_SORTS.map(sort => keyOf(player, sort));
  const { name, first: _first, last: _last, visits: _visits, ...more } = record;
  const texts = [sortable(lowered(name)), JSON.stringify(more)];
  return [hexOf(uuid), STANDINGS[standingOf(record)], ...keys.map(stored), ...texts];
}

// No zero with a sign.
const opposite = (value: unknown): unknown => (typeof value === "number" ? 0 - value : undefined);
const anything: Guard<object> = value => (typeof value === "object" ? undefined : "expected an object");

/** Undefined where it is damaged. */
export function recordIn(row: Row): KnownRecord | undefined {
  const more = checkJson(anything, String(row.more));
  if (!("value" in more)) return undefined;
  const record = check(knownRecord, {
    ...more.value,
    name: nameIn(String(row.name)),
    first: row.first_seen,
    last: opposite(row.last_seen),
    visits: opposite(row.visits),
  });
  return "value" in record ? record.value : undefined;
}

const BYTES_PER_STAY = 16;
const times = list(int(0, Number.MAX_SAFE_INTEGER), 2 * MOST_STAYS);

/** When the first of some visits ended, and all of them: beginning and end of each. */
export const packed = (stays: readonly Stay[]): [oldest: number, visits: Float64Array] => [
  stays.reduce((oldest, { to }) => Math.min(oldest, to), Number.MAX_SAFE_INTEGER),
  Float64Array.from(stays.flatMap(({ from, to }) => [from, to])),
];

/** Undefined where they are damaged. */
export function staysIn({ visits }: Row): Stay[] | undefined {
  // One of another realm is none by `instanceof`.
  if (!types.isUint8Array(visits) || visits.byteLength % BYTES_PER_STAY > 0) return undefined;
  const read = check(times, [...new Float64Array(Uint8Array.from(visits).buffer)]);
  if (!("value" in read)) return undefined;
  return read.value.flatMap((from, i, all) => (i % 2 === 0 ? [{ from, to: all[i + 1] ?? from }] : []));
}

const PUT_NAME = "INSERT OR IGNORE INTO names (folded, uuid) VALUES (?, unhex(?))";

/** Makes the table of names where it is missing, and adds those of players whom a build without it has stored or renamed. */
function addNames(database: DatabaseSync): void {
  transaction(database, () => {
    const there = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'unfolded'");
    if (there.all().length === 0) database.exec(NAMES_TABLE);
    const put = database.prepare(PUT_NAME);
    const unfolded =
      database.prepare(`SELECT lower(hex(uuid)) AS id, name, 0 AS first_seen, 0 AS last_seen, 0 AS visits, more
      FROM players WHERE uuid IN (SELECT uuid FROM unfolded)`);
    for (const row of unfolded.iterate()) {
      const record = recordIn(row);
      for (const name of record ? foldedNames(record) : []) put.run(sortable(name), String(row.id));
    }
    // Without a condition it would be written to where it is empty too.
    database.exec("DELETE FROM unfolded WHERE uuid IS NOT NULL");
  });
}

const COLUMNS = ["standing", ...KNOWN_SORTS.map(columnOf), "lowered", "more"];

/** What a record is read from: a column that is not needed costs as much as one that is. */
const selecting = (key = "name"): string =>
  `SELECT lower(hex(uuid)) AS id, ${[...new Set([key, "name", "first_seen", "last_seen", "visits", "more"])].join(", ")} FROM players`;

/** What is asked of `players.db`, and done to it. Uuids go in and out in hexadecimal digits. */
export function prepareKnown(database: DatabaseSync) {
  addNames(database);
  const select = selecting();
  /** Of an order, behind a place: its key and its uuid, and so many. */
  const behind = (index: string, key: string, more = ""): string =>
    `INDEXED BY players_${index} WHERE standing = ${LISTED} AND (${key}, uuid) > (?, unhex(?)) ${more}
     ORDER BY ${key}, uuid LIMIT ?`;
  const page = (sort: KnownSort): Statement =>
    database.prepare(`${selecting(columnOf(sort))} ${behind(columnOf(sort), columnOf(sort))}`);
  // What an index has by itself is all that is gone through: of no other player is more read.
  const named = (index: string, more: string): Statement =>
    database.prepare(`${select} WHERE uuid IN (SELECT uuid FROM players ${behind(index, "name", more)})
      ORDER BY name, uuid`);
  const isSo = "lowered >= ? AND lowered < ?";
  const so = `FROM players INDEXED BY players_lowered WHERE standing = ${LISTED} AND ${isSo}`;
  const seen = (index: string, standing: number): string =>
    `SELECT uuid, last_seen FROM players INDEXED BY players_${index} WHERE standing = ${standing} AND last_seen > :after
     ORDER BY last_seen DESC LIMIT :most`;
  return {
    database,
    read: database.prepare(`${select} WHERE uuid = unhex(?)`),
    present: database.prepare(`${select} INDEXED BY players_present WHERE standing = 0`),
    /** Changes with each change of the file, by this process or another. */
    version: database.prepare(
      "SELECT total_changes() AS own, data_version AS others FROM pragma_data_version",
    ),
    pages: {
      "last-seen": page("last-seen"),
      "first-seen": page("first-seen"),
      playtime: page("playtime"),
      kills: page("kills"),
      deaths: page("deaths"),
      visits: page("visits"),
      name: page("name"),
    },
    named: database.prepare(`${select} WHERE uuid IN (SELECT uuid FROM names WHERE folded = ?)`),
    putName: database.prepare(PUT_NAME),
    removeUnfolded: database.prepare("DELETE FROM unfolded WHERE uuid = unhex(?)"),
    removeNames: database.prepare("DELETE FROM names WHERE uuid = unhex(?)"),
    slice: database.prepare(`${select} WHERE uuid > unhex(?) ORDER BY uuid LIMIT ?`),
    /** of those whose name begins so, by those names in lower case, and by the names that begin with a letter */
    few: named("lowered", `AND ${isSo}`),
    many: named("name", `AND ${isSo} AND name >= ? AND name < ?`),
    counts: database.prepare("SELECT standing, players FROM counts"),
    count: database.prepare(`SELECT count(*) AS players ${so}`),
    put: database.prepare(
      `INSERT INTO players (uuid, ${COLUMNS.join(", ")}) VALUES (unhex(?), ${COLUMNS.map(() => "?").join(", ")})
       ON CONFLICT (uuid) DO UPDATE SET ${COLUMNS.map(column => `${column} = excluded.${column}`).join(", ")}`,
    ),
    remove: database.prepare("DELETE FROM players WHERE uuid = unhex(?)"),
    /** Those who are away and were unseen for longest. */
    unseen: database.prepare(
      `SELECT lower(hex(uuid)) AS id FROM
       (SELECT * FROM (${seen("last_seen", LISTED)}) UNION ALL SELECT * FROM (${seen("unlisted", 2)}))
       ORDER BY last_seen DESC LIMIT :most`,
    ),
    stays: database.prepare("SELECT lower(hex(uuid)) AS id, visits FROM stays WHERE uuid = unhex(?)"),
    putStays: database.prepare(
      `INSERT INTO stays (uuid, oldest, visits) VALUES (unhex(?), ?, ?)
       ON CONFLICT (uuid) DO UPDATE SET oldest = excluded.oldest, visits = excluded.visits`,
    ),
    removeStays: database.prepare("DELETE FROM stays WHERE uuid = unhex(?)"),
    endedFirst: database.prepare(
      "SELECT lower(hex(uuid)) AS id, visits FROM stays WHERE oldest < ? ORDER BY oldest LIMIT ?",
    ),
  };
}

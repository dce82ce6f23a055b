import { types } from "node:util";
import type Database from "libsql";
import { check, checkJson, type Guard, int, list } from "../../shared/guard.ts";
import { MOST_STAYS } from "../../shared/public/known.ts";
import {
  KNOWN_SORTS,
  type KnownSort,
  keyOf,
  lowered,
  type Place,
  playerOf,
  type Standing,
  standingOf,
} from "../domain/known-list.ts";
import { nameIn, sortable } from "../domain/known-names.ts";
import { type KnownRecord, knownRecord, type Stay } from "../domain/known-players.ts";

type Statement = ReturnType<Database.Database["prepare"]>;

/** A row of a result, whose uuid is in `id` in hexadecimal digits. */
export type Row = Record<string, unknown>;

export const LISTED = 1;
const STANDINGS: Readonly<Record<Standing, number>> = { present: 0, listed: LISTED, unlisted: 2 };

export const hexOf = (uuid: string): string => uuid.replaceAll("-", "");
export const uuidIn = ({ id }: Row): string =>
  String(id).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** A key as it is stored. */
export const stored = (key: Place["key"]): Place["key"] => (typeof key === "string" ? sortable(key) : key);

/** The column that an order goes by. */
export const columnOf = (sort: KnownSort): string => sort.replace("-", "_");

/** What is stored of a player, in the order of the columns. */
export function columnsOf(uuid: string, record: KnownRecord): unknown[] {
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
export const packed = (stays: readonly Stay[]): [oldest: number, visits: Buffer] => [
  stays.reduce((oldest, { to }) => Math.min(oldest, to), Number.MAX_SAFE_INTEGER),
  Buffer.from(Float64Array.from(stays.flatMap(({ from, to }) => [from, to])).buffer),
];

/** Undefined where they are damaged. */
export function staysIn({ visits }: Row): Stay[] | undefined {
  // One of another realm is none by `instanceof`.
  if (!types.isAnyArrayBuffer(visits) || visits.byteLength % BYTES_PER_STAY > 0) return undefined;
  const read = check(times, [...new Float64Array(visits)]);
  if (!("value" in read)) return undefined;
  return read.value.flatMap((from, i, all) => (i % 2 === 0 ? [{ from, to: all[i + 1] ?? from }] : []));
}

const COLUMNS = ["standing", ...KNOWN_SORTS.map(columnOf), "lowered", "more"];

/** What is asked of `players.db`, and done to it. Uuids go in and out in hexadecimal digits. */
export function prepareKnown(database: Database.Database) {
  const select = `SELECT lower(hex(uuid)) AS id, ${COLUMNS.join(", ")} FROM players`;
  /** Of an order, behind a place: its key and its uuid, and so many. */
  const behind = (index: string, key: string, more = ""): string =>
    `INDEXED BY players_${index} WHERE standing = ${LISTED} AND (${key}, uuid) > (?1, unhex(?2)) ${more}
     ORDER BY ${key}, uuid LIMIT ?3`;
  const page = (sort: KnownSort): Statement =>
    database.prepare(`${select} ${behind(columnOf(sort), columnOf(sort))}`);
  // What an index has by itself is all that is gone through: of no other player is more read.
  const named = (index: string, more: string): Statement =>
    database.prepare(`${select} WHERE uuid IN (SELECT uuid FROM players ${behind(index, "name", more)})
      ORDER BY name, uuid`);
  const isSo = "lowered >= ?4 AND lowered < ?5";
  const so = `FROM players INDEXED BY players_lowered WHERE standing = ${LISTED} AND lowered >= ? AND lowered < ?`;
  const seen = (index: string, standing: number): string =>
    `SELECT uuid, last_seen FROM players INDEXED BY players_${index} WHERE standing = ${standing} AND last_seen > ?1
     ORDER BY last_seen DESC LIMIT ?2`;
  return {
    database,
    read: database.prepare(`${select} WHERE uuid = unhex(?)`),
    present: database.prepare(`${select} INDEXED BY players_present WHERE standing = 0`),
    pages: {
      "last-seen": page("last-seen"),
      "first-seen": page("first-seen"),
      playtime: page("playtime"),
      kills: page("kills"),
      deaths: page("deaths"),
      visits: page("visits"),
      name: page("name"),
    },
    slice: database.prepare(`${select} WHERE uuid > unhex(?) ORDER BY uuid LIMIT ?`),
    /** of those whose name begins so, by those names in lower case, and by the names that begin with a letter */
    few: named("lowered", `AND ${isSo}`),
    many: named("name", `AND ${isSo} AND name >= ?6 AND name < ?7`),
    counts: database.prepare("SELECT standing, players FROM counts"),
    count: database.prepare(`SELECT count(*) AS players ${so}`),
    countFew: database.prepare(`SELECT count(*) AS players FROM (SELECT 1 ${so} LIMIT ?)`),
    put: database.prepare(
      `INSERT INTO players (uuid, ${COLUMNS.join(", ")}) VALUES (unhex(?), ${COLUMNS.map(() => "?").join(", ")})
       ON CONFLICT (uuid) DO UPDATE SET ${COLUMNS.map(column => `${column} = excluded.${column}`).join(", ")}`,
    ),
    remove: database.prepare("DELETE FROM players WHERE uuid = unhex(?)"),
    /** Those who are away and were unseen for longest. */
    unseen: database.prepare(
      `SELECT lower(hex(uuid)) AS id FROM
       (SELECT * FROM (${seen("last_seen", LISTED)}) UNION ALL SELECT * FROM (${seen("unlisted", 2)}))
       ORDER BY last_seen DESC LIMIT ?2`,
    ),
    stays: database.prepare("SELECT lower(hex(uuid)) AS id, visits FROM stays WHERE uuid = unhex(?)"),
    putStays: database.prepare(
      `INSERT INTO stays (uuid, oldest, visits) VALUES (unhex(?1), ?2, ?3)
       ON CONFLICT (uuid) DO UPDATE SET oldest = ?2, visits = ?3`,
    ),
    removeStays: database.prepare("DELETE FROM stays WHERE uuid = unhex(?)"),
    endedFirst: database.prepare(
      "SELECT lower(hex(uuid)) AS id, visits FROM stays WHERE oldest < ? ORDER BY oldest LIMIT ?",
    ),
  };
}

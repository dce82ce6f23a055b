import type { DatabaseSync } from "node:sqlite";
import { types } from "node:util";
import { BAN_HEAD, BANS, HEAD_KEY } from "../features/bans/records.ts";
import { CHOICES } from "../features/choices/records.ts";
import { FEED, PRESENCE, presenceKey, REPORTED, reportedKey } from "../features/feed/records.ts";
import { KNOWN, VISITS } from "../features/known-players/records.ts";
import { LINKS } from "../features/linking/records.ts";
import { CONNECTIONS, connectionKey } from "../features/servers/records.ts";
import { SIGN_INS } from "../features/sign-in/records.ts";
import { POINTS, pointTexts, ROLLUPS, rollupKey } from "../features/status/records.ts";
import { LONG_SPANS } from "../features/status/rules/rollups.ts";
import { HOOKS } from "../features/webhooks/records.ts";
import type { MigratedRecord } from "../kernel/storage/files/record-tables.ts";
import { streamTable, streamTables } from "../kernel/storage/files/stream-tables.ts";
import { BRIDGE_ID, META } from "../meta.ts";

// Reads the tables of sidecars up to 0.1.0 as records. Each table is dropped once it has been read.

type Row = Record<string, unknown>;

/** The rows of a table, which is dropped afterwards; none if it is missing. */
function* rowsOf(database: DatabaseSync, table: string, columns: string): Generator<Row> {
  const there = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
  if (there.get(table) === undefined) return;
  const quoted = `"${table.replaceAll('"', '""')}"`;
  yield* database.prepare(`SELECT ${columns} FROM ${quoted}`).iterate();
  database.exec(`DROP TABLE ${quoted}`);
}

/** The records of `links.db`: links, choices, sign-ins, and the game server that connected last. */
export function* linksOfTables(database: DatabaseSync): Generator<MigratedRecord> {
  for (const { session, record } of rowsOf(database, "links", "session, record"))
    yield { of: LINKS, key: `${session}`, text: `${record}` };
  for (const { key, value } of rowsOf(database, "meta", "key, value")) {
    if (key === BRIDGE_ID) yield { of: META, key: BRIDGE_ID, text: `${value}` };
    const [, name] = /^game-server(?::(.*))?$/s.exec(`${key}`) ?? [undefined, undefined];
    if (`${key}`.startsWith("game-server"))
      yield { of: CONNECTIONS, key: connectionKey(name ?? ""), text: `${value}` };
  }
  const letter = (chosen: unknown): string => (chosen === null ? "-" : chosen === 1 ? "y" : "n");
  for (const { player, server, blocked, hidden } of rowsOf(
    database,
    "choices",
    "player, server, blocked, hidden",
  ))
    yield { of: CHOICES, key: `${player}`, text: `${letter(blocked)}${letter(hidden)} ${server}` };
  for (const { key, text, until, used } of rowsOf(database, "sign_ins", "key, text, until, used"))
    yield {
      of: SIGN_INS,
      key: `${key}`,
      until: Number(until),
      text: `${used === 1 ? "+" : "."}${until} ${text}`,
    };
}

/** The records of `bans.db`. */
export function* bansOfTables(database: DatabaseSync): Generator<MigratedRecord> {
  for (const { list, up_to } of rowsOf(database, "head", "list, up_to"))
    yield { of: BAN_HEAD, key: HEAD_KEY, text: JSON.stringify({ list, upTo: up_to }) };
  for (const { key, n, ban } of rowsOf(database, "bans", "key, n, ban"))
    yield { of: BANS, key: `${key}`, text: `{"n":${n},"ban":${ban}}` };
}

function uuidIn(id: unknown): string {
  const hex = `${id}`;
  return [0, 8, 12, 16, 20].map((from, i, all) => hex.slice(from, all[i + 1])).join("-");
}

/** The records of `players.db`: a part of each was in columns, two of them in reverse order. */
export function* playersOfTables(database: DatabaseSync): Generator<MigratedRecord> {
  const columns = "lower(hex(uuid)) AS id, name, first_seen, last_seen, visits, more";
  for (const { id, name, first_seen, last_seen, visits, more } of rowsOf(database, "players", columns)) {
    const own = {
      name: nameIn(`${name}`),
      first: first_seen,
      last: -Number(last_seen),
      visits: -Number(visits),
    };
    const rest = `${more}`.replace(/^\{/, "");
    yield { of: KNOWN, key: uuidIn(id), text: `${JSON.stringify(own).slice(0, -1)},${rest}` };
  }
  for (const { id, visits } of rowsOf(database, "stays", "lower(hex(uuid)) AS id, visits"))
    yield { of: VISITS, key: uuidIn(id), text: staysIn(visits) };
  database.exec("DROP TABLE counts; DROP TABLE IF EXISTS names; DROP TABLE IF EXISTS unfolded");
}

const BYTES_PER_STAY = 16;

/** Visits stored as 8-byte numbers: start and end of each. */
function staysIn(visits: unknown): string {
  if (!types.isUint8Array(visits) || visits.byteLength % BYTES_PER_STAY > 0) return "damaged";
  const times = [...new Float64Array(Uint8Array.from(visits).buffer)];
  return times.flatMap((from, i) => (i % 2 === 0 ? [`${from}-${times[i + 1]}`] : [])).join();
}

/** A name, decoded from code units written so that their bytes sort. */
function nameIn(text: string): string {
  let name = "";
  let isEscaped = false;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    if (isEscaped) name += String.fromCharCode(point - 1);
    else if (point !== 1) name += String.fromCharCode(point < 0x10000 ? point : point - 0x10000 + 0xd800);
    isEscaped = point === 1 && !isEscaped;
  }
  return name;
}

/** The game server's name in the name of a table or of a key of `meta`; empty for the first game server. */
function serverIn(kind: string, name: string): string | undefined {
  if (name === kind) return "";
  return name.startsWith(`${kind}:`) ? name.slice(kind.length + 1) : undefined;
}

/** The records of `feed.db`; the events stay where they are. */
export function* feedOfTables(database: DatabaseSync): Generator<MigratedRecord> {
  database.exec(`ALTER TABLE events RENAME TO ${streamTable(FEED.name)}; ${streamTables([FEED.name])}`);
  for (const { url, state } of rowsOf(database, "hooks", "url, state"))
    yield { of: HOOKS, key: `${url}`, text: `${state}` };
  const meta = new Map<string, string>();
  for (const { key, value } of rowsOf(database, "meta", "key, value")) {
    meta.set(`${key}`, `${value}`);
    const server = serverIn("presence", `${key}`);
    if (server !== undefined) yield { of: PRESENCE, key: presenceKey(server), text: `${value}` };
  }
  database
    .prepare("INSERT INTO streams (name, epoch, floor) VALUES (?, ?, ?)")
    .run(FEED.name, Number(meta.get("epoch") ?? 0), meta.get("floor") ?? "");
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  for (const { name } of tables) {
    const table = `${name}`;
    const [ofPoints, ofKeys] = [serverIn("points", table), serverIn("keys", table)];
    if (ofKeys !== undefined)
      for (const { key } of rowsOf(database, table, "key"))
        yield { of: REPORTED, key: reportedKey(ofKeys, `${key}`), text: `${key}` };
    if (ofPoints === undefined) continue;
    const points = [...rowsOf(database, table, "point")].map(({ point }) => `${point}`);
    for (const [key, text] of pointTexts(ofPoints, points)) yield { of: POINTS, key, text };
  }
  for (const { world, span, slot, sums } of rowsOf(database, "means", "world, span, slot, sums")) {
    const known = LONG_SPANS.find(each => each === span);
    if (known)
      yield { of: ROLLUPS, key: rollupKey(`${world}`, known, Number(slot)), text: `${slot} ${sums}` };
  }
}

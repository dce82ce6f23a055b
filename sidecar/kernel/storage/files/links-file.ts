import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { isDeepStrictEqual } from "node:util";
import {
  dueAt,
  isEmpty,
  type LinkRecord,
  linkedUuid,
  NO_LINK,
  openRequest,
  parseRecord,
} from "../../../features/linking/rules/links.ts";
import { parseGameServer } from "../../bridge/game-server.ts";
import type { GameServerStore, Log, OwnStore } from "../ports.ts";
import { createChoicesFile } from "./choices-file.ts";
import { closeDatabase, openDatabase, quickTransaction, transaction } from "./schema.ts";
import { createSignInFile } from "./sign-in-file.ts";
import { signInSecrets } from "./sign-in-secrets.ts";

type Row = Readonly<Record<string, unknown>>;

/** What is stored of a session. */
interface Stored {
  session: string;
  /** undefined: damaged */
  record: LinkRecord | undefined;
}

/**
 * Links in the file `links.db` of a folder. A changed link is on the disk when its promise settles. Several processes
 * may use one file.
 * @throws StoreError when the file cannot be used
 */
export function openLinksFile(folder: string, log: Pick<Log, "warn">): OwnStore {
  const database = openDatabase(join(folder, "links.db"));
  const statements = prepare(database);

  function parse(rows: Row[]): Stored[] {
    return rows.map(({ rowid, session, record }) => {
      const parsed = parseRecord(String(record));
      if (parsed === undefined) log.warn({ row: rowid }, "a stored link is damaged and counts as none");
      return { session: String(session), record: parsed };
    });
  }

  const stored = (session: string): Stored | undefined => parse(statements.bySession.all(session))[0];

  function write(session: string, record: LinkRecord): void {
    if (isEmpty(record)) statements.remove.run(session);
    else {
      const request = openRequest(record) ?? null;
      const player = linkedUuid(record) ?? null;
      statements.put.run(session, JSON.stringify(record), request, dueAt(record) ?? null, player);
    }
  }

  const gameServerOf = (key: string): GameServerStore => ({
    async gameServer() {
      const row = statements.meta.get(key);
      return row ? parseGameServer(String(row.value)) : undefined;
    },
    setGameServer: async server =>
      quickTransaction(database, () => void statements.putMeta.run(key, JSON.stringify(server))),
  });

  return {
    read: async session => stored(session)?.record ?? NO_LINK,
    async change(session, decide) {
      const look = () => {
        const held = stored(session);
        const before = held?.record ?? NO_LINK;
        // What is damaged is replaced by what it was taken for.
        const damaged = held !== undefined && held.record === undefined;
        return { before, damaged, ...decide(before) };
      };
      const keep = ({ before, damaged, record, answer }: ReturnType<typeof look>) => {
        if (damaged || !isDeepStrictEqual(record, before)) write(session, record);
        return { answer };
      };
      const quick = quickTransaction(database, () => {
        const seen = look();
        return isWorthTheDisk(seen.before, seen.record) ? undefined : keep(seen);
      });
      return (quick ?? transaction(database, () => keep(look()))).answer;
    },
    async sessionOf(request) {
      const [row] = parse(statements.byRequest.all(request));
      return row?.record === undefined ? undefined : row.session;
    },
    open: async (limit, prefix = "") =>
      parse(statements.open.all({ limit, prefix })).flatMap(({ session, record }) =>
        record === undefined ? [] : [{ session, record }],
      ),
    linkedTo: async (uuid, limit) => sessions(statements.linkedTo.all(uuid, limit)),
    due: async (now, limit) => sessions(statements.due.all(now, limit)),
    checkWritable: async () => transaction(database, () => void statements.touch.run()),
    bridgeId: async () =>
      transaction(database, () => {
        statements.makeMeta.run("bridge-id", randomUUID());
        return String(statements.meta.get("bridge-id")?.value);
      }),
    ...gameServerOf("game-server"),
    gameServerOf: name => gameServerOf(`game-server:${name}`),
    ...createChoicesFile(database),
    signIn: now => createSignInFile(database, now, signInSecrets(folder)),
    close: async () => closeDatabase(database),
  };
}

/**
 * Whether a change has to outlive a loss of power, which takes the time of the disk. A request ends soon, on its way or open:
 * the game closes a form that nobody knows of any more, and the browser asks again. A link and an answer are kept.
 */
const isWorthTheDisk = ({ link: before }: LinkRecord, { link }: LinkRecord): boolean =>
  !isDeepStrictEqual(before, link) && (link.status !== "pending" || before.status === "accepted");

const sessions = (rows: Row[]): string[] => rows.map(({ session }) => String(session));

function prepare(database: DatabaseSync) {
  const select = "SELECT rowid, session, record FROM links";
  return {
    bySession: database.prepare(`${select} WHERE session = ?`),
    byRequest: database.prepare(`${select} WHERE request = ?`),
    open: database.prepare(
      `${select} WHERE request IS NOT NULL AND substr(session, 1, length(:prefix)) = :prefix ORDER BY place LIMIT :limit`,
    ),
    linkedTo: database.prepare("SELECT session FROM links WHERE player = ? LIMIT ?"),
    due: database.prepare("SELECT session FROM links WHERE due <= ? ORDER BY due LIMIT ?"),
    remove: database.prepare("DELETE FROM links WHERE session = ?"),
    // A link request keeps its place as long as it is open.
    put: database.prepare(
      `INSERT INTO links (session, record, request, due, player, place)
       VALUES (?, ?, ?, ?, ?, (SELECT coalesce(max(place), 0) + 1 FROM links WHERE request IS NOT NULL))
       ON CONFLICT (session) DO UPDATE SET record = excluded.record, due = excluded.due, request = excluded.request,
         player = excluded.player, place = CASE WHEN request IS excluded.request THEN place ELSE excluded.place END`,
    ),
    makeMeta: database.prepare("INSERT OR IGNORE INTO meta (key, value) VALUES (?, ?)"),
    putMeta: database.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)"),
    // More than the room that the file itself may have left.
    touch: database.prepare("INSERT OR REPLACE INTO meta VALUES ('room', hex(zeroblob(8192)))"),
    meta: database.prepare("SELECT value FROM meta WHERE key = ?"),
  };
}

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type Database from "libsql";
import { dueAt, type LinkRecord, linkedUuid, NO_LINK, openRequest } from "../domain/links.ts";
import type { LinkStore, Log } from "../ports.ts";
import { parseRecord, saysNothing } from "./record.ts";
import { alone, isRow, openDatabase } from "./schema.ts";

/** What is stored of a session. */
interface Stored {
  row: number;
  session: string;
  /** undefined: damaged */
  record: LinkRecord | undefined;
}

/**
 * Links in the file `links.db` of a folder. A change is on the disk when its promise settles. Several processes may
 * use one file.
 * @throws StoreError when the file cannot be used
 */
export function openEmbeddedStore(folder: string, log: Pick<Log, "warn">): LinkStore {
  return new EmbeddedStore(openDatabase(join(folder, "links.db")), log);
}

class EmbeddedStore implements LinkStore {
  readonly #database: Database.Database;
  readonly #log: Pick<Log, "warn">;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database.Database, log: Pick<Log, "warn">) {
    this.#database = database;
    this.#log = log;
    this.#statements = prepare(database);
  }

  async read(session: string): Promise<LinkRecord> {
    return this.#stored(session)?.record ?? NO_LINK;
  }

  async change<T>(
    session: string,
    decide: (record: LinkRecord) => { record: LinkRecord; answer: T },
  ): Promise<T> {
    return alone(this.#database, () => {
      const stored = this.#stored(session);
      const before = stored?.record ?? NO_LINK;
      const { record, answer } = decide(before);
      // What is damaged is replaced by what it was taken for.
      const damaged = stored !== undefined && stored.record === undefined;
      if (damaged || !isDeepStrictEqual(record, before)) this.#write(session, record);
      return answer;
    });
  }

  async sessionOf(request: string): Promise<string | undefined> {
    const [row] = this.#rows(this.#statements.byRequest.all([request]));
    return row?.record === undefined ? undefined : row.session;
  }

  async open(limit: number): Promise<{ session: string; record: LinkRecord }[]> {
    return this.#rows(this.#statements.open.all([limit])).flatMap(({ session, record }) =>
      record === undefined ? [] : [{ session, record }],
    );
  }

  async linkedTo(uuid: string, limit: number): Promise<string[]> {
    const rows = this.#statements.linkedTo.all([uuid, limit]);
    return rows.filter(isRow).map(row => String(row.session));
  }

  async due(now: number, limit: number): Promise<string[]> {
    const rows = this.#statements.due.all([now, limit]);
    return rows.filter(isRow).map(row => String(row.session));
  }

  async bridgeId(): Promise<string> {
    return alone(this.#database, () => {
      this.#statements.makeMeta.run(["bridge-id", randomUUID()]);
      const row = this.#statements.meta.get(["bridge-id"]);
      return isRow(row) ? String(row.value) : "";
    });
  }

  async close(): Promise<void> {
    if (!this.#database.open) return;
    this.#database.pragma("wal_checkpoint(TRUNCATE)");
    this.#database.close();
  }

  #stored(session: string): Stored | undefined {
    return this.#rows(this.#statements.bySession.all([session]))[0];
  }

  #write(session: string, record: LinkRecord): void {
    if (saysNothing(record)) this.#statements.remove.run([session]);
    else {
      const request = openRequest(record) ?? null;
      const player = linkedUuid(record) ?? null;
      this.#statements.put.run([session, JSON.stringify(record), request, dueAt(record) ?? null, player]);
    }
  }

  #rows(rows: unknown[]): Stored[] {
    return rows.filter(isRow).map(({ rowid, session, record }) => {
      const parsed = parseRecord(String(record));
      if (parsed === undefined) this.#log.warn({ row: rowid }, "a stored link is damaged and counts as none");
      return { row: Number(rowid), session: String(session), record: parsed };
    });
  }
}

function prepare(database: Database.Database) {
  const select = "SELECT rowid, session, record FROM links";
  return {
    bySession: database.prepare(`${select} WHERE session = ?`),
    byRequest: database.prepare(`${select} WHERE request = ?`),
    open: database.prepare(`${select} WHERE request IS NOT NULL ORDER BY place LIMIT ?`),
    linkedTo: database.prepare("SELECT session FROM links WHERE player = ? LIMIT ?"),
    due: database.prepare("SELECT session FROM links WHERE due <= ? ORDER BY due LIMIT ?"),
    remove: database.prepare("DELETE FROM links WHERE session = ?"),
    // A link request keeps its place as long as it is open.
    put: database.prepare(
      `INSERT INTO links (session, record, request, due, player, place)
       VALUES (?1, ?2, ?3, ?4, ?5, (SELECT coalesce(max(place), 0) + 1 FROM links WHERE request IS NOT NULL))
       ON CONFLICT (session) DO UPDATE SET record = ?2, due = ?4, request = ?3, player = ?5,
         place = CASE WHEN request IS ?3 THEN place ELSE excluded.place END`,
    ),
    makeMeta: database.prepare("INSERT OR IGNORE INTO meta (key, value) VALUES (?, ?)"),
    meta: database.prepare("SELECT value FROM meta WHERE key = ?"),
  };
}

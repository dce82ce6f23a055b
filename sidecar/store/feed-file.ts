import { join } from "node:path";
import { checkJson } from "../../shared/guard.ts";
import { type HistoryPoint, historyPoint } from "../../shared/public/game.ts";
import { type FeedEntry, type HookState, hookState, idOf, later, parseId } from "../domain/feed.ts";
import { HISTORY_POINTS } from "../domain/history.ts";
import { NEVER_ONLINE, type Presence, presence as toldPresence } from "../domain/presence.ts";
import { type Log, StorageFull } from "../ports.ts";
import { takeOverPlots } from "./earlier-plots.ts";
import { readable, storedEntry } from "./feed-guards.ts";
import { type FeedFile, type FeedRecord, MAX_KEYS, nextEpoch } from "./feed-log.ts";
import { closeDatabase, openDatabase, transaction } from "./schema.ts";
import { isRow, POINTS, TABLES } from "./tables.ts";

/**
 * The feed, and the plots, in the file `feed.db` of a folder.
 * @throws StoreError when the file cannot be used
 */
export function openFeedFile(folder: string, log: Pick<Log, "warn">): FeedFile {
  const database = openDatabase(join(folder, "feed.db"), TABLES.feed);
  const put = database.prepare("INSERT OR REPLACE INTO events (epoch, seq, entry) VALUES (?, ?, ?)");
  // No text of somebody has such quotation marks, and no damaged entry is a fault here.
  const drop = database.prepare(
    `DELETE FROM events WHERE (epoch, seq) <= (?, ?) AND ((epoch, seq) < (?, ?) OR instr(entry, '"from":"web"') > 0)`,
  );
  const putKey = database.prepare("INSERT INTO keys (key) VALUES (?)");
  const dropKeys = database.prepare("DELETE FROM keys WHERE place <= (SELECT max(place) FROM keys) - ?");
  const putMeta = database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)");
  const putHook = database.prepare("INSERT OR REPLACE INTO hooks (url, state) VALUES (?, ?)");
  const dropHook = database.prepare("DELETE FROM hooks WHERE url = ?");
  let floor = "";
  let oldest: string | undefined;
  let presence: Presence | undefined;
  /** what there was no room to begin with */
  let unbegun: { record: FeedRecord; epoch: number } | undefined;

  const rows = (statement: string): Record<string, unknown>[] =>
    database.prepare(statement).all().filter(isRow);
  const damaged = (what: string): void => log.warn({}, `${what} is damaged and counts as none`);

  function readEntries(): { entries: FeedEntry[]; floor: string | undefined } {
    let entries: FeedEntry[] = [];
    let before: string | undefined;
    for (const row of rows("SELECT epoch, seq, entry FROM events ORDER BY epoch, seq")) {
      const id = idOf(Number(row.epoch), Number(row.seq));
      const read = checkJson(storedEntry, String(row.entry));
      if ("value" in read)
        entries.push({
          id,
          event: readable(read.value.event),
          ...(read.value.withheld && { withheld: true }),
        });
      else {
        // Whoever reads on from before it has to be told that something is missing.
        damaged("something that happened");
        before = id;
        entries = [];
      }
    }
    return { entries, floor: before };
  }

  function readHooks(): Map<string, HookState> {
    const hooks = new Map<string, HookState>();
    for (const row of rows("SELECT url, state FROM hooks")) {
      const read = checkJson(hookState, String(row.state));
      if ("value" in read) hooks.set(String(row.url), read.value);
      else damaged("the place of a webhook");
    }
    return hooks;
  }

  function readPoints(): HistoryPoint[] {
    if (rows("SELECT name FROM sqlite_master WHERE name = 'points'").length === 0) return [];
    return rows("SELECT point FROM points ORDER BY place").flatMap(({ point }) => {
      const read = checkJson(historyPoint, String(point));
      if ("value" in read) return [read.value];
      damaged("a point of the plots");
      return [];
    });
  }

  function putPoints(points: readonly HistoryPoint[]): void {
    if (points.length === 0) return;
    database.exec(POINTS);
    const putPoint = database.prepare("INSERT INTO points (point) VALUES (?)");
    for (const point of points) putPoint.run([JSON.stringify(point)]);
    const drop = "DELETE FROM points WHERE place <= (SELECT max(place) FROM points) - ?";
    database.prepare(drop).run([HISTORY_POINTS]);
  }

  function read(now: number): { record: FeedRecord; epoch: number } {
    const meta = new Map(rows("SELECT key, value FROM meta").map(row => [row.key, String(row.value)]));
    const { entries, floor: afterDamage } = readEntries();
    const kept = later(meta.get("floor") ?? "", afterDamage ?? "");
    const next = nextEpoch(now, Number(meta.get("epoch")) || 0, later(kept, entries.at(-1)?.id ?? ""));
    const game = checkJson(toldPresence, meta.get("presence") ?? "");
    if (!("value" in game) && meta.has("presence")) damaged("who was there");
    const keys = rows("SELECT key FROM keys ORDER BY place").map(({ key }) => String(key));
    presence = "value" in game ? game.value : NEVER_ONLINE;
    const points = readPoints();
    const record = { entries, keys, presence, hooks: readHooks(), points, floor: kept || idOf(next, 0) };
    return { record, epoch: next };
  }

  function putEntry({ id, event, withheld }: FeedEntry): void {
    const stored = { event, ...(withheld && { withheld: "yes" as const }) };
    put.run([...places(id), JSON.stringify(stored)]);
  }

  function begin(opened: { record: FeedRecord; epoch: number }): void {
    putMeta.run(["epoch", String(opened.epoch)]);
    putMeta.run(["floor", opened.record.floor ?? ""]);
  }

  takeOverPlots(folder, log, points => transaction(database, () => putPoints(points)));

  return {
    open(now) {
      try {
        const opened = transaction(database, () => {
          const found = read(now);
          begin(found);
          return found;
        });
        floor = opened.record.floor ?? "";
        oldest = opened.record.entries[0]?.id;
        return opened;
      } catch (error) {
        if (!(error instanceof StorageFull)) throw error;
        // Ids are given all the same; the first of them that can be kept is kept with this.
        unbegun = read(now);
        return unbegun;
      } finally {
        // The epoch is on the disk. What is written from now on outlives this process, and no line of chat waits for the disk.
        database.pragma("synchronous = NORMAL");
      }
    },
    write(change) {
      const [line, more] = change.entries;
      const hasGone = change.floor !== floor || change.oldest !== oldest;
      const hasMore = change.keys.length + change.points.length > 0 || change.presence !== presence;
      // Most often it is one line from the web, and one statement is all or nothing by itself.
      if (line && !more && !hasMore && !hasGone && !unbegun) return putEntry(line);
      transaction(database, () => {
        if (unbegun) begin(unbegun);
        for (const entry of change.entries) putEntry(entry);
        for (const key of change.keys) putKey.run([key]);
        if (change.keys.length > 0) dropKeys.run([MAX_KEYS]);
        putPoints(change.points);
        if (change.presence !== presence) putMeta.run(["presence", JSON.stringify(change.presence)]);
        if (!hasGone) return;
        putMeta.run(["floor", change.floor]);
        drop.run([...places(change.floor), ...places(change.oldest ?? ABOVE_ALL)]);
      });
      unbegun = undefined;
      ({ floor, oldest, presence } = change);
    },
    setHook(url, state) {
      if (state) putHook.run([url, JSON.stringify(state)]);
      else dropHook.run([url]);
    },
    close: () => closeDatabase(database),
  };
}

/** Comes after every id. */
const ABOVE_ALL = idOf(999_999_999_999_999, 0);

const places = (id: string): [number, number] => parseId(id) ?? [0, 0];

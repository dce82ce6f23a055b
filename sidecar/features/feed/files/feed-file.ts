import { join } from "node:path";
import { checkJson } from "../../../../shared/guard.ts";
import { type HistoryPoint, historyPoint } from "../../../../shared/public/game.ts";
import { closeDatabase, openDatabase, transaction } from "../../../kernel/storage/files/database.ts";
import { StorageFull } from "../../../kernel/storage/ports.ts";
import type { Log } from "../../../platform/log.ts";
import { NEVER_ONLINE, type Presence, presence as toldPresence } from "../../players/rules.ts";
import { HISTORY_POINTS } from "../../status/rules/history.ts";
import { NO_MEANS } from "../../status/rules/means.ts";
import { type FeedEntry, type HookState, hookState, idOf, later, parseId } from "../rules.ts";
import { takeOverPlots } from "./earlier-plots.ts";
import { readable, storedEntry } from "./feed-guards.ts";
import {
  type FeedFile,
  type FeedRecord,
  FIRST,
  MAX_KEYS,
  nextEpoch,
  type WorldKey,
  type WorldPoint,
  type WorldRecord,
} from "./feed-log.ts";
import { createMeansTable } from "./means-table.ts";
import { FEED, newestTable } from "./tables.ts";

/**
 * The feed, and the plots, in the file `feed.db` of a folder.
 * @throws StoreError when the file cannot be used
 */
export function openFeedFile(folder: string, log: Pick<Log, "warn">): FeedFile {
  const database = openDatabase(join(folder, "feed.db"), FEED);
  const put = database.prepare("INSERT OR REPLACE INTO events (epoch, seq, entry) VALUES (?, ?, ?)");
  // No text of somebody has such quotation marks, and no damaged entry is a fault here.
  const drop = database.prepare(
    `DELETE FROM events WHERE (epoch, seq) <= (?, ?) AND ((epoch, seq) < (?, ?) OR instr(entry, '"from":"web"') > 0)`,
  );
  const putMeta = database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)");
  const putHook = database.prepare("INSERT OR REPLACE INTO hooks (url, state) VALUES (?, ?)");
  const dropHook = database.prepare("DELETE FROM hooks WHERE url = ?");
  let floor = "";
  let oldest: string | undefined;
  let presences: ReadonlyMap<string, Presence> = new Map();
  /** what there was no room to begin with */
  let unbegun: { record: FeedRecord; epoch: number } | undefined;

  const rows = (statement: string) => database.prepare(statement).all();
  const damaged = (what: string): void => log.warn({}, `${what} is damaged and counts as none`);
  const meansTable = createMeansTable(database, damaged);

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

  function readPoints(world: string): HistoryPoint[] {
    return readNewest("points", world).flatMap(({ point }) => {
      const read = checkJson(historyPoint, String(point));
      if ("value" in read) return [read.value];
      damaged("a point of the plots");
      return [];
    });
  }

  const readNewest = (what: Newest, world: string) =>
    rows(`SELECT ${NEWEST[what].column} FROM ${quoted(named(what, world))} ORDER BY place`);

  /** What is kept of each world that anything is kept of. */
  function readWorlds(meta: ReadonlyMap<unknown, string>): Map<string, WorldRecord> {
    const worlds = new Map<string, WorldRecord>();
    const add = (world: string, more: Partial<WorldRecord>): void => {
      worlds.set(world, { ...(worlds.get(world) ?? NOTHING), ...more });
    };
    for (const [key, value] of meta) {
      const world = worldIn("presence", String(key));
      if (world === undefined) continue;
      const game = checkJson(toldPresence, value);
      if (!("value" in game)) damaged("who was there");
      add(world, { presence: "value" in game ? game.value : NEVER_ONLINE });
    }
    for (const { name } of rows("SELECT name FROM sqlite_master WHERE type = 'table'")) {
      const [points, keys] = [worldIn("points", String(name)), worldIn("keys", String(name))];
      if (points !== undefined) add(points, { points: readPoints(points) });
      if (keys !== undefined) add(keys, { keys: readNewest("keys", keys).map(({ key }) => String(key)) });
    }
    for (const [world, means] of meansTable.read()) add(world, { means });
    return worlds;
  }

  /** Keeps the newest of something, each of its world. */
  function putNewest(what: Newest, all: readonly { world: string; text: string }[]): void {
    const { column, most } = NEWEST[what];
    for (const world of new Set(all.map(each => each.world))) {
      const table = quoted(named(what, world));
      database.exec(newestTable(table, column));
      const putOne = database.prepare(`INSERT INTO ${table} (${column}) VALUES (?)`);
      for (const each of all) if (each.world === world) putOne.run(each.text);
      const drop = `DELETE FROM ${table} WHERE place <= (SELECT max(place) FROM ${table}) - ?`;
      database.prepare(drop).run(most);
    }
  }
  const putPoints = (points: readonly WorldPoint[]): void =>
    putNewest(
      "points",
      points.map(({ world, point }) => ({ world, text: JSON.stringify(point) })),
    );
  const putKeys = (keys: readonly WorldKey[]): void =>
    putNewest(
      "keys",
      keys.map(({ world, key }) => ({ world, text: key })),
    );

  function read(now: number): { record: FeedRecord; epoch: number } {
    const meta = new Map(rows("SELECT key, value FROM meta").map(row => [row.key, String(row.value)]));
    const { entries, floor: afterDamage } = readEntries();
    const kept = later(meta.get("floor") ?? "", afterDamage ?? "");
    const next = nextEpoch(now, Number(meta.get("epoch")) || 0, later(kept, entries.at(-1)?.id ?? ""));
    const worlds = readWorlds(meta);
    presences = new Map([...worlds].map(([world, { presence }]) => [world, presence]));
    const record = { entries, hooks: readHooks(), worlds, floor: kept || idOf(next, 0) };
    return { record, epoch: next };
  }

  function putEntry({ id, event, withheld }: FeedEntry): void {
    const stored = { event, ...(withheld && { withheld: "yes" as const }) };
    put.run(...places(id), JSON.stringify(stored));
  }

  function begin(opened: { record: FeedRecord; epoch: number }): void {
    putMeta.run("epoch", String(opened.epoch));
    putMeta.run("floor", opened.record.floor ?? "");
  }

  const first = (points: readonly HistoryPoint[]): WorldPoint[] =>
    points.map(point => ({ world: FIRST, point }));
  takeOverPlots(folder, log, points => transaction(database, () => putPoints(first(points))));

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
        database.exec("PRAGMA synchronous = NORMAL");
      }
    },
    write(change) {
      const [line, more] = change.entries;
      const hasGone = change.floor !== floor || change.oldest !== oldest;
      const told = [...change.presences].filter(([world, presence]) => presences.get(world) !== presence);
      const hasMeans = meansTable.lacks(change.means);
      const hasMore = hasMeans || change.keys.length + change.points.length + told.length > 0;
      // Most often it is one line from the web, and one statement is all or nothing by itself.
      if (line && !more && !hasMore && !hasGone && !unbegun) return putEntry(line);
      transaction(database, () => {
        if (unbegun) begin(unbegun);
        for (const entry of change.entries) putEntry(entry);
        putKeys(change.keys);
        putPoints(change.points);
        if (hasMeans) meansTable.write(change.means);
        for (const [world, presence] of told) putMeta.run(named("presence", world), JSON.stringify(presence));
        if (!hasGone) return;
        putMeta.run("floor", change.floor);
        drop.run(...places(change.floor), ...places(change.oldest ?? ABOVE_ALL));
      });
      unbegun = undefined;
      if (hasMeans) meansTable.wrote(change.means);
      ({ floor, oldest } = change);
      if (told.length > 0) presences = new Map(change.presences);
    },
    setHook(url, state) {
      if (state) putHook.run(url, JSON.stringify(state));
      else dropHook.run(url);
    },
    close: () => closeDatabase(database),
  };
}

/** What is kept of a world goes by its name; of the first one by no more than this. */
const named = (what: string, world: string): string => (world === FIRST ? what : `${what}:${world}`);

/** The name of the world in such a name; undefined in one of something else. */
function worldIn(what: string, name: string): string | undefined {
  if (name === what) return FIRST;
  return name.startsWith(`${what}:`) ? name.slice(what.length + 1) : undefined;
}

/** What the newest is kept of: in which column, and how much. */
const NEWEST = {
  points: { column: "point", most: HISTORY_POINTS },
  keys: { column: "key", most: MAX_KEYS },
} as const;
type Newest = keyof typeof NEWEST;

const NOTHING: WorldRecord = { presence: NEVER_ONLINE, points: [], means: NO_MEANS, keys: [] };

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Comes after every id. */
const ABOVE_ALL = idOf(999_999_999_999_999, 0);

const places = (id: string): [number, number] => parseId(id) ?? [0, 0];

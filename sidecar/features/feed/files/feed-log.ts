import type { HistoryPoint } from "../../../../shared/public/game.ts";
import type { NewEntry, OwnLog, WorldLog } from "../../../kernel/storage/ports/feed.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { NEVER_ONLINE, type Presence } from "../../players/rules.ts";
import { HISTORY_POINTS } from "../../status/rules/history.ts";
import { type Means, NO_MEANS } from "../../status/rules/means.ts";
import { createWindow, type FeedEntry, type HookState, idOf, parseId } from "../rules.ts";

/** What the first world goes by. */
export const FIRST = "";

/** Keys that are remembered of a world: more than a pack can send again. */
export const MAX_KEYS = 1_000;

/** How often what is past the bounds is let go, and what could not be written is tried again, in milliseconds. */
const TIDY_MS = 5_000;

/**
 * How often what is new of the plots is written, in milliseconds: a disk may be slow, or wear out. With `TIDY_MS` it is less than the
 * minute that may be lost.
 */
const PLOTS_MS = 50_000;

/** What is kept of a log while no process runs. */
export interface FeedRecord {
  /** oldest first */
  entries: FeedEntry[];
  /** the newest place that is gone; undefined for a log that begins */
  floor: string | undefined;
  hooks: Map<string, HookState>;
  worlds: ReadonlyMap<string, WorldRecord>;
}

/** What is kept of a world, which is known by its name: the first one has none here. */
export interface WorldRecord {
  presence: Presence;
  points: HistoryPoint[];
  means: Means;
  /** oldest first */
  keys: string[];
}

/** What an entry of a world is known by where it comes again. */
export interface WorldKey {
  world: string;
  key: string;
}

/** A point of the plots of a world. */
export interface WorldPoint {
  world: string;
  point: HistoryPoint;
}

/** What a file lacks of a log. */
interface UnwrittenEntries {
  entries: readonly FeedEntry[];
  keys: readonly WorldKey[];
  points: readonly WorldPoint[];
}

/** What is to be written of a log. */
interface FeedChange extends UnwrittenEntries {
  /** the newest place that is gone: lines of the web go up to it, and everything else that is older than `oldest` */
  floor: string;
  /** the oldest entry that is held, if any */
  oldest: string | undefined;
  /** by the worlds of worlds */
  presences: ReadonlyMap<string, Presence>;
  means: ReadonlyMap<string, Means>;
}

/** Where a log is kept. All may throw. */
export interface FeedFile {
  /** What is kept, with an epoch that no earlier opening had: `now`, or more. */
  open(now: number): { record: FeedRecord; epoch: number };
  /** Writes all of it or nothing. */
  write(change: FeedChange): void;
  setHook(url: string, state: HookState | undefined): void;
  close(): void;
}

interface LogDeps {
  clock: Clock;
  log: Pick<Log, "error" | "info">;
  /** what is held, apart from the keys */
  bounds: { entries: number; forMs: number };
  /** without one, the log lasts as long as the process */
  file?: FeedFile | undefined;
}

const EMPTY: FeedRecord = {
  entries: [],
  floor: undefined,
  hooks: new Map(),
  worlds: new Map(),
};

/** What is appended in one turn: before anything else comes from outside. */
interface Moment {
  entries: FeedEntry[];
  keys: WorldKey[];
  /** what the process before has appended */
  repeated: NewEntry[];
  settle: (() => void)[];
}

/** What of the log is in the file. Where writing fails, it is tried again from time to time, and not with each line of chat. */
type FileState = { is: "all" } | { is: "some" | "failing"; missing: UnwrittenEntries };

const NOTHING: UnwrittenEntries = { entries: [], keys: [], points: [] };

/** The log of a bridge with one sidecar process: held in memory, and written to a file before anybody hears of it. */
export function createFeedLog({ clock, log, bounds, file }: LogDeps): OwnLog {
  const { record, epoch } = file?.open(clock.now()) ?? { record: EMPTY, epoch: clock.now() };
  const window = createWindow(bounds, record.floor ?? idOf(epoch, 0), record.entries);
  const listeners = new Set<(entries: readonly FeedEntry[]) => void>();
  const repeatListeners = new Set<(entries: readonly NewEntry[]) => void>();
  const hooks = new Map(record.hooks);
  const keysOf = new Map<string, { all: Set<string>; before: ReadonlySet<string> }>();
  const presences = new Map([...record.worlds].map(([world, { presence }]) => [world, presence]));
  let seq = 0;
  let moment: Moment | undefined;
  /** what waits for its minute: points, and means beside those that are to be kept */
  let newPoints: WorldPoint[] = [];
  const means = new Map([...record.worlds].map(([world, each]) => [world, each.means]));
  let toKeep: ReadonlyMap<string, Means> = new Map(means);
  let kept: FileState = { is: "all" };
  // What grew too old while no process ran goes ahead of everything.
  if (window.trim(clock.now()) > 0) lack({});
  /** what is gone goes from the file up to it: with each line of chat that would cost more than the line */
  let [floor, oldest] = [window.floor(), window.oldest()];

  /** The file lacks this, besides where the log is now. */
  function lack({ entries = [], keys = [], points = [] }: Partial<UnwrittenEntries>): void {
    if (!file) return;
    const { is, missing } = kept.is === "all" ? { is: "some" as const, missing: NOTHING } : kept;
    kept = {
      is,
      missing: {
        entries: [...missing.entries, ...entries],
        keys: [...missing.keys, ...keys],
        points: [...missing.points, ...points],
      },
    };
  }

  function write(): void {
    if (!file || kept.is === "all") return;
    const { is, missing } = kept;
    try {
      file.write({ ...missing, floor, oldest, presences, means: toKeep });
      if (is === "failing") {
        for (const [url, state] of hooks) file.setHook(url, state);
        log.info({}, "what happened is kept over a restart again");
      }
      kept = { is: "all" };
    } catch (error) {
      if (is !== "failing")
        log.error({ error }, "recent events cannot be saved and would be lost on a restart");
      // Readers get it all the same, and it is tried again; what is not held any more need not be written.
      const { entries } = createWindow(bounds, floor, missing.entries).newest(bounds.entries);
      const most = HISTORY_POINTS * Math.max(1, presences.size);
      const [keys, points] = [
        missing.keys.slice(-MAX_KEYS * Math.max(1, keysOf.size)),
        missing.points.slice(-most),
      ];
      kept = { is: "failing", missing: { entries, keys, points } };
    }
  }

  function flush(): void {
    if (!moment) return;
    const { entries, keys, repeated, settle } = moment;
    moment = undefined;
    window.add(entries, clock.now());
    lack({ entries, keys });
    if (kept.is !== "failing") write();
    if (repeated.length > 0) for (const listener of repeatListeners) listener(repeated);
    if (entries.length > 0) for (const listener of listeners) listener(entries);
    for (const resolve of settle) resolve();
  }

  /** Whether an entry of a world has not been appended before, by its key. */
  function isNew(to: Moment, { key, ...entry }: NewEntry, world: string): boolean {
    if (key === undefined) return true;
    const stored = record.worlds.get(world)?.keys ?? [];
    const { all, before } = keysOf.get(world) ?? { all: new Set(stored), before: new Set(stored) };
    keysOf.set(world, { all, before });
    if (before.has(key)) to.repeated.push(entry);
    if (all.has(key)) return false;
    all.add(key);
    to.keys.push({ world, key });
    for (const oldest of all) {
      if (all.size <= MAX_KEYS) break;
      all.delete(oldest);
    }
    return true;
  }

  function add(to: Moment, { key: _key, ...entry }: NewEntry): void {
    to.entries.push({ id: idOf(epoch, ++seq), ...entry });
  }

  function tidy(): void {
    window.trim(clock.now());
    if (floor !== window.floor() || oldest !== window.oldest()) lack({});
    [floor, oldest] = [window.floor(), window.oldest()];
    write();
  }

  function keepPlots(): void {
    const hasMeans = [...means].some(([world, each]) => toKeep.get(world) !== each);
    if (hasMeans) toKeep = new Map(means);
    if (hasMeans || newPoints.length > 0) lack({ points: newPoints });
    newPoints = [];
  }

  const ends = [clock.every(TIDY_MS, tidy), clock.every(PLOTS_MS, keepPlots)];

  /** Appends entries of a world: those that are new, and when every listener has heard them. */
  function tellOf(world: string, entries: readonly NewEntry[]) {
    // Behind all promises that are due: the lines that one read of a socket brings are one write for each reader.
    if (!moment) process.nextTick(flush);
    const own: Moment = moment ?? { entries: [], keys: [], repeated: [], settle: [] };
    moment = own;
    const fresh = entries.filter(entry => isNew(own, entry, world));
    for (const entry of fresh) add(own, entry);
    return { fresh, heard: new Promise<void>(resolve => void own.settle.push(resolve)) };
  }

  function worldOf(world: string): WorldLog {
    const points = record.worlds.get(world)?.points ?? [];
    const told = (): Presence => presences.get(world) ?? NEVER_ONLINE;
    return {
      async tellOnce(entries) {
        const { fresh, heard } = tellOf(world, entries);
        await heard;
        return fresh;
      },
      append(decide) {
        const before = told();
        const { presence: next = before, entries } = decide(before);
        if (next === before && entries.length === 0) return Promise.resolve();
        const { fresh, heard } = tellOf(world, entries);
        // A step that comes again was taken before, and others may have come after it.
        if (fresh.length > 0 || entries.length === 0) presences.set(world, next);
        return heard;
      },
      presence: async () => told(),
      history: {
        read: async () => points,
        async add(_slot, point) {
          newPoints.push({ world, point });
        },
        means: async () => means.get(world) ?? NO_MEANS,
        async count(_report, counted) {
          means.set(world, counted);
          return [];
        },
      },
    };
  }

  return {
    ...worldOf(FIRST),
    worldOf,
    tell: entries => tellOf(FIRST, entries).heard,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onRepeated(listener) {
      repeatListeners.add(listener);
    },
    onHole: () => undefined,
    sync: async () => undefined,
    newest: async limit => window.newest(limit),
    async read(after, limit) {
      const { gap, entries } = window.after(after);
      return { gone: gap, entries: entries.slice(0, limit) };
    },
    last: async () => window.last(),
    hooks: async () => new Map(hooks),
    async setHook(url, state) {
      if (state) hooks.set(url, state);
      else hooks.delete(url);
      // A webhook may not be ahead of what is stored.
      if (kept.is !== "failing") file?.setHook(url, state);
    },
    async close() {
      for (const end of ends) end();
      flush();
      keepPlots();
      tidy();
      listeners.clear();
      repeatListeners.clear();
      file?.close();
    },
  };
}

/** The greater of now and what comes after the newest id that a file holds, or its epoch. */
export const nextEpoch = (now: number, stored: number, newest: string | undefined): number =>
  Math.max(now, stored + 1, (parseId(newest ?? "")?.[0] ?? 0) + 1);

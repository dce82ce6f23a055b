import { createWindow, type FeedEntry, type HookState, idOf, parseId } from "../domain/feed.ts";
import { NEVER_ONLINE, type Presence } from "../domain/presence.ts";
import type { Clock, Log, NewEntry, OwnLog } from "../ports.ts";

/** Keys that are remembered: more than a pack can send again. */
export const MAX_KEYS = 1_000;

/** How often what is past the bounds is let go, and what could not be written is tried again, in milliseconds. */
const TIDY_MS = 5_000;

/** What is kept of a log while no process runs. */
export interface FeedRecord {
  /** oldest first */
  entries: FeedEntry[];
  /** the newest place that is gone; undefined for a log that begins */
  floor: string | undefined;
  presence: Presence;
  /** oldest first */
  keys: string[];
  hooks: Map<string, HookState>;
}

/** What is to be written of a log. */
export interface FeedChange {
  entries: readonly FeedEntry[];
  keys: readonly string[];
  /** the newest place that is gone: lines of the web go up to it, and everything else that is older than `oldest` */
  floor: string;
  /** the oldest entry that is held, if any */
  oldest: string | undefined;
  presence: Presence;
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
  presence: NEVER_ONLINE,
  keys: [],
  hooks: new Map(),
};

/** The log of a bridge with one sidecar process: held in memory, and written to a file before anybody hears of it. */
export function createFeedLog({ clock, log, bounds, file }: LogDeps): OwnLog {
  const { record, epoch } = file?.open(clock.now()) ?? { record: EMPTY, epoch: clock.now() };
  const window = createWindow(bounds, record.floor ?? idOf(epoch, 0), record.entries);
  const listeners = new Set<(entries: readonly FeedEntry[]) => void>();
  const repeatListeners = new Set<(entries: readonly NewEntry[]) => void>();
  const hooks = new Map(record.hooks);
  const keys = new Set(record.keys);
  const keysBefore = new Set(record.keys);
  let { presence } = record;
  let seq = 0;
  /** appended in this turn: before anything else comes from outside */
  let fresh: FeedEntry[] = [];
  /** the same of those that the process before has appended */
  let repeated: NewEntry[] = [];
  let settle: (() => void)[] = [];
  /** not in the file yet */
  let unwritten: FeedEntry[] = [];
  let newKeys: string[] = [];
  // What grew too old while no process ran goes ahead of everything.
  let isDirty = window.trim(clock.now()) > 0;
  /** what is gone goes from the file up to it: with each line of chat that would cost more than the line */
  let [floor, oldest] = [window.floor(), window.oldest()];
  let isFailing = false;
  let isScheduled = false;

  function write(): void {
    if (!isDirty || !file) return;
    try {
      file.write({ entries: unwritten, keys: newKeys, floor, oldest, presence });
      unwritten = [];
      newKeys = [];
      isDirty = false;
      if (!isFailing) return;
      isFailing = false;
      log.info({}, "what happened is kept over a restart again");
      for (const [url, state] of hooks) file.setHook(url, state);
    } catch (error) {
      // Readers get it all the same, and it is tried again; what is not held any more need not be written.
      unwritten = createWindow(bounds, floor, unwritten).newest(bounds.entries).entries;
      newKeys = newKeys.slice(-MAX_KEYS);
      if (!isFailing)
        log.error({ error }, "what happens now would be forgotten by a restart: it cannot be stored");
      isFailing = true;
    }
  }

  function flush(): void {
    isScheduled = false;
    const [entries, again, settled] = [fresh, repeated, settle];
    fresh = [];
    repeated = [];
    settle = [];
    window.add(entries, clock.now());
    if (file) unwritten.push(...entries);
    // Where it fails, all that waits would be tried again with each line of chat.
    if (!isFailing) write();
    if (again.length > 0) for (const listener of repeatListeners) listener(again);
    if (entries.length > 0) for (const listener of listeners) listener(entries);
    for (const resolve of settled) resolve();
  }

  function add({ key, ...entry }: NewEntry): void {
    if (key !== undefined) {
      if (keysBefore.has(key)) repeated.push(entry);
      if (keys.has(key)) return;
      keys.add(key);
      newKeys.push(key);
      for (const oldest of keys) {
        if (keys.size <= MAX_KEYS) break;
        keys.delete(oldest);
      }
    }
    fresh.push({ id: idOf(epoch, ++seq), ...entry });
  }

  function tidy(): void {
    window.trim(clock.now());
    if (floor !== window.floor() || oldest !== window.oldest()) isDirty = true;
    [floor, oldest] = [window.floor(), window.oldest()];
    write();
  }

  const stopTidying = clock.every(TIDY_MS, tidy);

  function tell(entries: readonly NewEntry[]): Promise<void> {
    for (const entry of entries) add(entry);
    isDirty = true;
    return new Promise(resolve => {
      settle.push(resolve);
      // Behind all promises that are due: the lines that one read of a socket brings are one write for each reader.
      if (!isScheduled) process.nextTick(flush);
      isScheduled = true;
    });
  }

  return {
    append(decide) {
      const { presence: next = presence, entries } = decide(presence);
      if (next === presence && entries.length === 0) return Promise.resolve();
      presence = next;
      return tell(entries);
    },
    tell,
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
    presence: async () => presence,
    hooks: async () => new Map(hooks),
    async setHook(url, state) {
      if (state) hooks.set(url, state);
      else hooks.delete(url);
      // A webhook may not be ahead of what is stored.
      if (!isFailing) file?.setHook(url, state);
    },
    async close() {
      stopTidying();
      flush();
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

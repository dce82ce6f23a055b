import type { Lease } from "../../kernel/storage/ports.ts";
import type { Clock } from "../../platform/clock.ts";
import type { FeedLog, NewEntry } from "./feed-log.ts";
import { type Bounds, createWindow, type FeedEntry, type MissedEntries } from "./rules/window.ts";

/** How often events that are too old are let go, in milliseconds. */
const TIDY_MS = 5_000;

export type Feed = Awaited<ReturnType<typeof createFeed>>;

/** What happened, for those who were away: the end of the log as readers may see it. */
export async function createFeed(deps: { clock: Clock; log: FeedLog; bounds: Bounds }) {
  const { clock, log, bounds } = deps;
  const { floor, entries } = await log.newest(bounds.entries);
  let window = createWindow(bounds, floor, entries);
  const listeners = new Set<(entries: readonly FeedEntry[]) => void>();
  const holeListeners: (() => void)[] = [];

  log.subscribe(more => {
    window.add(more, clock.now());
    for (const listener of listeners) listener(more);
  });
  log.onHole(async () => {
    const now = await log.newest(bounds.entries);
    window = createWindow(bounds, now.floor, now.entries);
    for (const listener of holeListeners) listener();
  });
  const stopTidying = clock.every(TIDY_MS, () => void window.trim(clock.now()));

  return {
    /** Appends events, which are of the time `at`; when the promise settles, every listener has heard of them. */
    append: (events: (at: number) => readonly NewEntry[], lease?: Lease): Promise<void> =>
      log.tell(events(clock.now()), lease),
    /** What came after an id, as far as it is kept; `known`: the newest place that the reader knows to be gone. */
    after(id: string, known?: string): MissedEntries {
      window.trim(clock.now());
      return window.after(id, known);
    },
    /** Settles when everything that has happened until now can be read here. */
    sync: log.sync,
    /** The newest place that is gone. */
    floor(): string {
      window.trim(clock.now());
      return window.floor();
    },
    /** A text that is another one whenever something else is kept. */
    state(): string {
      window.trim(clock.now());
      return `${window.oldest()} ${window.floor()} ${window.last()}`;
    },
    /** The place of the newest event. */
    last: () => window.last(),
    /** Calls back with what happens, in order, everything of one moment together. */
    onEvents(listener: (entries: readonly FeedEntry[]) => void): void {
      listeners.add(listener);
    },
    /** Calls back when something was missed here that nobody can be told of any more. */
    onHole: (listener: () => void) => void holeListeners.push(listener),
    /**
     * Calls back with what the process before has appended and perhaps told nobody: readers of the feed have it, and whoever
     * only listens may never have heard it.
     */
    onRepeated: log.onRepeated,
    stop: stopTidying,
  };
}

import type { Lease } from "../../kernel/storage/ports.ts";
import type { Clock } from "../../platform/clock.ts";
import type { FeedLog, NewEntry } from "./feed-log.ts";
import { type Bounds, createWindow, type FeedEntry, type MissedEntries } from "./rules/window.ts";

/** Interval of dropping expired events, in milliseconds. */
const CLEANUP_MS = 5_000;

export type Feed = Awaited<ReturnType<typeof createFeed>>;

/** Past events for readers: the end of the log. */
export async function createFeed(deps: { clock: Clock; log: FeedLog; bounds: Bounds }) {
  const { clock, log, bounds } = deps;
  const { floor, entries } = await log.newest(bounds.entries);
  let window = createWindow(bounds, floor, entries);
  const listeners = new Set<(entries: readonly FeedEntry[]) => void>();
  const gapListeners: (() => void)[] = [];

  log.subscribe(more => {
    window.add(more, clock.now());
    for (const listener of listeners) listener(more);
  });
  log.onGap(async () => {
    const now = await log.newest(bounds.entries);
    window = createWindow(bounds, now.floor, now.entries);
    for (const listener of gapListeners) listener();
  });
  const stopCleanup = clock.every(CLEANUP_MS, () => void window.trim(clock.now()));

  return {
    /** Appends events with the time `at`; once the promise settles, all listeners have them. */
    append: (events: (at: number) => readonly NewEntry[], lease?: Lease): Promise<void> =>
      log.publish(events(clock.now()), lease),
    /** The stored events after an id; `known`: the newest dropped position that was reported to the reader. */
    after(id: string, known?: string): MissedEntries {
      window.trim(clock.now());
      return window.after(id, known);
    },
    /** Settles when all events so far can be read here. */
    sync: log.sync,
    /** The newest dropped position. */
    floor(): string {
      window.trim(clock.now());
      return window.floor();
    },
    /** A text that changes whenever the stored events change. */
    state(): string {
      window.trim(clock.now());
      return `${window.oldest()} ${window.floor()} ${window.last()}`;
    },
    /** The position of the newest event. */
    last: () => window.last(),
    /** Subscribes to new events, in order and batched. */
    onEvents(listener: (entries: readonly FeedEntry[]) => void): void {
      listeners.add(listener);
    },
    /** Subscribes to gaps: events were missed here and are no longer available. */
    onGap: (listener: () => void) => void gapListeners.push(listener),
    /**
     * Subscribes to events that the previous process appended, perhaps without sending them to live-only clients. Readers of the feed
     * have them.
     */
    onRepeated: log.onRepeated,
    stop: stopCleanup,
  };
}

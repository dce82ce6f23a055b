import { type Lease, StorageAway } from "../../kernel/storage/ports.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { createSharedReads } from "../../platform/shared-reads.ts";
import type { BanHead, BanStore } from "./records.ts";
import { type BanList, createBanList, type Draft, draftOf } from "./rules/ban-list.ts";

/** Entries that are read in one request. */
const MAX_BATCH = 500;
/** How often a change is retried after a conflict with another process. */
const MAX_TRIES = 100;
/** How often the log says that the list cannot be used, in milliseconds: every request of a game server needs it. */
const LOG_EVERY_MS = 60_000;

/** The ban list as last read by this process. */
export interface BanCache {
  list(): BanList;
  /** Head of the cached list; undefined: nothing was ever stored. */
  head(): BanHead | undefined;
  /**
   * Reads what was stored before this call. A storage that fails is only logged.
   * @throws StorageAway
   */
  fresh(): Promise<void>;
  /** Reads what was stored before this call. Rejects as the storage does. */
  read(): Promise<void>;
  /** Waits for a storage that may fail, which is only logged: the cached list is still valid. */
  logFaults(doing: Promise<unknown>): Promise<void>;
  /**
   * Changes the list by what `decide` puts into the draft; it may be called more than once. Settles when the change is stored and
   * read.
   * @throws what the storage fails with
   */
  change<T>(decide: (draft: Draft) => T, lease?: Lease): Promise<T>;
}

export function createBanCache({
  clock,
  store,
  log,
}: {
  clock: Pick<Clock, "now" | "monotonic" | "after">;
  store: BanStore;
  log: Pick<Log, "error">;
}): BanCache {
  let list: BanList = createBanList();
  let head: BanHead | undefined;
  let loggedAt = Number.NEGATIVE_INFINITY;

  async function update(): Promise<void> {
    const now = await store.head();
    if (now?.list === head?.list && now?.upTo === head?.upTo) return;
    const isSame = now !== undefined && now.list === head?.list && now.upTo > (head?.upTo ?? 0);
    const next = isSame ? list : createBanList();
    let from = isSame ? (head?.upTo ?? 0) : 0;
    while (now && from < now.upTo) {
      const read = await store.read(from, MAX_BATCH);
      for (const { n, ban } of read) next.put(n, ban);
      from = read.at(-1)?.n ?? now.upTo;
    }
    for (const key of next.expired(clock.now())) next.drop(key);
    [list, head] = [next, now && { ...now, upTo: Math.max(from, now.upTo) }];
  }
  const read = createSharedReads(clock, update);

  async function logFaults(doing: Promise<unknown>): Promise<void> {
    try {
      await doing;
    } catch (error) {
      if (error instanceof StorageAway) throw error;
      const now = clock.monotonic();
      if (now - loggedAt < LOG_EVERY_MS) return;
      loggedAt = now;
      log.error({ error }, "Could not read or save the ban list");
    }
  }

  return {
    list: () => list,
    head: () => head,
    fresh: () => logFaults(read()),
    read,
    logFaults,
    async change<T>(decide: (draft: Draft) => T, lease?: Lease): Promise<T> {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        await read();
        const draft = draftOf(list);
        const answer = decide(draft);
        const puts = draft.puts();
        if (puts.length === 0) return answer;
        const now = clock.now();
        // A storage that has lost its newest changes must not reuse a number: a pack that has seen it would skip the new change.
        if (!(await store.put(head, puts, list.expired(now), lease, now))) continue;
        await read();
        return answer;
      }
      throw new StorageAway("too many concurrent changes of the ban list");
    },
  };
}

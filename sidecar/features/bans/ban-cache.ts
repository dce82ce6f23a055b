import { StorageAway, type Turn } from "../../kernel/storage/ports.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { createSharedReads } from "../../platform/shared-reads.ts";
import type { BanHead, BanStore } from "./records.ts";
import { type BanList, createBanList, type Draft, draftOf } from "./rules/bans.ts";

/** Entries that are read at once. */
const MOST_AT_ONCE = 500;
/** How often is decided anew since somebody else was quicker. */
const MOST_TRIES = 100;
/** How often is said that the list cannot be used, in milliseconds: every request of a game server needs it. */
const SAID_MS = 60_000;

export type BanCache = ReturnType<typeof createBanCache>;

/** What this process knows of the list of bans, of which the storage tells it what is new. */
export function createBanCache({
  clock,
  store,
  log,
}: {
  clock: Pick<Clock, "now" | "after">;
  store: BanStore;
  log: Pick<Log, "error">;
}) {
  let list: BanList = createBanList();
  let head: BanHead | undefined;
  let saidAt = Number.NEGATIVE_INFINITY;

  async function update(): Promise<void> {
    const now = await store.head();
    if (now?.list === head?.list && now?.upTo === head?.upTo) return;
    const isSame = now !== undefined && now.list === head?.list && now.upTo > (head?.upTo ?? 0);
    const next = isSame ? list : createBanList();
    let from = isSame ? (head?.upTo ?? 0) : 0;
    while (now && from < now.upTo) {
      const read = await store.read(from, MOST_AT_ONCE);
      for (const { n, ban } of read) next.put(n, ban);
      from = read.at(-1)?.n ?? now.upTo;
    }
    for (const key of next.past(clock.now())) next.drop(key);
    [list, head] = [next, now && { ...now, upTo: Math.max(from, now.upTo) }];
  }
  const read = createSharedReads(clock, update);

  /** Waits for a storage that may fail: what is known here goes on to hold, which the log says. */
  async function quietly(doing: Promise<unknown>): Promise<void> {
    try {
      await doing;
    } catch (error) {
      if (error instanceof StorageAway) throw error;
      if (clock.now() - saidAt < SAID_MS) return;
      saidAt = clock.now();
      log.error({ error }, "could not read or save the ban list");
    }
  }

  return {
    /** The list as it is known here. */
    list: (): BanList => list,
    /** Where that stands; undefined: nothing was ever kept. */
    head: (): BanHead | undefined => head,
    /**
     * Settles when what was kept before this call is known here, or cannot be read.
     * @throws StorageAway
     */
    fresh: (): Promise<void> => quietly(read()),
    /** The same for whoever has to have all of it. Rejects as the storage does. */
    read,
    quietly,
    /**
     * Changes the list: what `decide` has put into the draft, and may be called more than once for, is kept and known here when this
     * settles.
     * @throws what the storage fails with
     */
    async change<T>(decide: (draft: Draft) => T, turn?: Turn): Promise<T> {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        await read();
        const draft = draftOf(list);
        const answer = decide(draft);
        const puts = draft.puts();
        if (puts.length === 0) return answer;
        const now = clock.now();
        // A storage that has lost its newest changes gives no number again, which those who heard of them would pass over.
        if (!(await store.put(head, puts, list.past(now), turn, now))) continue;
        await read();
        return answer;
      }
      throw new StorageAway("the list of bans is changed by others all the time");
    },
  };
}

import type { Lease } from "../../kernel/storage/ports.ts";
import type { RecordsWithStreams, Transaction } from "../../kernel/storage/records.ts";
import type { StreamEntry } from "../../kernel/storage/streams.ts";
import type { Clock } from "../../platform/clock.ts";
import { NEVER_ONLINE, type Presence } from "../players/rules/presence.ts";
import { FEED, PRESENCE, presenceKey, REPORTED, reportedKey, type StoredFeedEntry } from "./records.ts";
import { type Bounds, createWindow, type FeedEntry, type LogPage } from "./rules/window.ts";

/** Interval of dropping entries over the bounds, in milliseconds. */
const CLEANUP_MS = 5_000;

/** An entry to append. */
export interface NewEntry extends StoredFeedEntry {
  /** set if it could be repeated after this process was killed: an entry whose key its game server has used is skipped */
  key?: string;
}

/** The feed of one game server. */
export interface ServerFeed {
  /** Appends entries of this game server, skipping known keys; resolves with those that were new. */
  appendOnce(entries: readonly NewEntry[], lease?: Lease): Promise<readonly NewEntry[]>;
  /**
   * Atomically changes the presence and appends entries, as decided from the current presence; `decide` may be called more than once.
   * Once the promise settles, all listeners of this process have them, and they survive a kill of the process.
   */
  append(
    decide: (presence: Presence) => { presence?: Presence; entries: readonly NewEntry[] },
    lease?: Lease,
  ): Promise<void>;
  /** The presence that was reported so far. */
  presence(): Promise<Presence>;
}

/** The numbered log of events. Several sidecar processes may share one: any of them may append, and each gets everything. */
export interface FeedLog {
  /** Appends entries without keys. Actions sent to the outbox synchronously afterwards keep their order. */
  publish(entries: readonly StoredFeedEntry[], lease?: Lease): Promise<void>;
  /** Subscribes to appended entries, in order and batched. */
  subscribe(listener: (entries: readonly FeedEntry[]) => void): () => void;
  /**
   * Subscribes to skipped entries, which come before new ones of the same batch: the previous process appended them, perhaps without
   * sending them to live-only clients.
   */
  onRepeated(listener: (entries: readonly NewEntry[]) => void): void;
  /** Subscribes to gaps: entries of other processes were dropped before they were read here, and the window starts over. */
  onGap(listener: () => void): void;
  /** Settles when all entries appended so far by any process were read here. */
  sync(): Promise<void>;
  /** The newest entries, oldest first, at most `limit`, and the position before them. */
  newest(limit: number): Promise<{ floor: string; entries: FeedEntry[] }>;
  /** The entries after a position, oldest first, at most `limit`; if some were dropped, from the oldest stored one on. */
  read(after: string, limit: number): Promise<LogPage>;
  /** Position of the newest entry. */
  last(): Promise<string>;
  /** The feed of the game server with this stored name, blank for the first one. */
  serverFeed(server: string): ServerFeed;
  close(): Promise<void>;
}

/** The feed in the given records; it keeps entries within the bounds. */
export function createFeedLog(deps: { records: RecordsWithStreams; clock: Clock; bounds: Bounds }): FeedLog {
  const { records, clock, bounds } = deps;
  const listeners = new Set<(entries: readonly FeedEntry[]) => void>();
  const repeatListeners = new Set<(entries: readonly NewEntry[]) => void>();
  const gapListeners: (() => void)[] = [];
  let window = createWindow(bounds, "0-0");
  let hasBegun = false;
  /** ids of entries to drop */
  let dropped: string[] = [];
  /** skipped entries that listeners have not got yet */
  let repeated: NewEntry[] = [];
  /** keys stored by this process, by their record keys */
  const stored = new Map<string, string>();

  function notifyRepeated(): void {
    if (repeated.length === 0) return;
    const all = repeated;
    repeated = [];
    for (const listener of repeatListeners) listener(all);
  }

  const stopTail = records.tail(FEED, {
    begin(floor, entries) {
      window = createWindow(bounds, floor, entries.map(entryOf), ids => dropped.push(...ids));
      window.trim(clock.now());
      if (hasBegun) for (const listener of gapListeners) listener();
      hasBegun = true;
    },
    add(entries) {
      const appended = entries.map(entryOf);
      window.add(appended, clock.now());
      notifyRepeated();
      for (const listener of listeners) listener(appended);
    },
  });

  function cleanUp(): Promise<void> {
    window.trim(clock.now());
    const ids = dropped;
    dropped = [];
    return records.drop(FEED, ids);
  }
  // While the storage is unreachable, dropping can wait.
  const stopCleanup = clock.every(CLEANUP_MS, () => void cleanUp().catch(() => undefined));

  /** Appends the entries with new keys, and records those keys; the others are repeated. */
  function appendNew(transaction: Transaction, server: string, entries: readonly NewEntry[]) {
    const [fresh, repeats]: [NewEntry[], NewEntry[]] = [[], []];
    const recorded = new Map<string, string>();
    const recordKeys = entries.flatMap(({ key }) => (key === undefined ? [] : [reportedKey(server, key)]));
    if (recordKeys.length > 0) transaction.getMany(REPORTED, recordKeys);
    for (const entry of entries) {
      const { key } = entry;
      const recordKey = key === undefined ? undefined : reportedKey(server, key);
      const isNew = recordKey === undefined || transaction.get(REPORTED, recordKey) !== key;
      (isNew ? fresh : repeats).push(entry);
      if (!isNew || recordKey === undefined || key === undefined) continue;
      transaction.put(REPORTED, recordKey, key);
      recorded.set(recordKey, key);
    }
    transaction.append(
      FEED,
      fresh.map(({ key: _key, ...entry }) => entry),
    );
    return { fresh, repeats, recorded };
  }

  /** Appends entries of a game server, together with other changes of `decide`. */
  async function append(
    server: string,
    decide: (transaction: Transaction) => {
      entries: readonly NewEntry[];
      settle?(fresh: readonly NewEntry[]): void;
    },
    lease: Lease | undefined,
  ): Promise<readonly NewEntry[]> {
    let done: ReturnType<typeof appendNew> | undefined;
    const appended = records.transact(
      transaction => {
        const { entries, settle } = decide(transaction);
        done = appendNew(transaction, server, entries);
        settle?.(done.fresh);
      },
      { lease },
    );
    // With several processes, entries appended by another one were read here as well.
    if (!records.areShared)
      repeated.push(
        ...(done?.repeats ?? []).flatMap(({ key = "", ...entry }) =>
          stored.get(reportedKey(server, key)) === key ? [] : [entry],
        ),
      );
    if (!records.areShared) for (const [recordKey, key] of done?.recorded ?? []) stored.set(recordKey, key);
    await appended;
    notifyRepeated();
    return done?.fresh ?? [];
  }

  return {
    publish: (entries, lease) =>
      records.transact(transaction => transaction.append(FEED, entries), { lease }),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onRepeated: listener => void repeatListeners.add(listener),
    onGap: listener => void gapListeners.push(listener),
    sync: () => records.sync(FEED),
    newest: async limit => window.newest(limit),
    async read(after, limit) {
      const { gap, entries } = window.after(after);
      return { gap, entries: entries.slice(0, limit) };
    },
    last: async () => window.last(),
    serverFeed(server) {
      const of = presenceKey(server);
      return {
        appendOnce: (entries, lease) => append(server, () => ({ entries }), lease),
        async append(decide, lease) {
          await append(
            server,
            transaction => {
              const before = transaction.get(PRESENCE, of) ?? NEVER_ONLINE;
              const { presence: next = before, entries } = decide(before);
              return {
                entries,
                settle(fresh) {
                  // A repeated step was already applied, and others may have followed it.
                  if (next !== before && (fresh.length > 0 || entries.length === 0))
                    transaction.put(PRESENCE, of, next);
                },
              };
            },
            lease,
          );
        },
        presence: async () => (await records.get(PRESENCE, of)) ?? NEVER_ONLINE,
      };
    },
    async close() {
      stopCleanup();
      // What cannot be dropped now is dropped after the next start.
      await cleanUp().catch(() => undefined);
      stopTail();
      listeners.clear();
      repeatListeners.clear();
    },
  };
}

const entryOf = ({ id, entry }: StreamEntry<StoredFeedEntry>): FeedEntry => ({ id, ...entry });

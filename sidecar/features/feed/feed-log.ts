import type { Lease } from "../../kernel/storage/ports.ts";
import type { RecordsWithStreams, Transaction } from "../../kernel/storage/records.ts";
import type { StreamEntry } from "../../kernel/storage/streams.ts";
import type { Clock } from "../../platform/clock.ts";
import { NEVER_ONLINE, type Presence } from "../players/rules/presence.ts";
import { FEED, PRESENCE, presenceKey, REPORTED, reportedKey, type StoredFeedEntry } from "./records.ts";
import { type Bounds, createWindow, type FeedEntry, type LogPage } from "./rules/window.ts";

/** How often what is past the bounds is let go, in milliseconds. */
const TIDY_MS = 5_000;

/** An entry that gets its id. */
export interface NewEntry extends StoredFeedEntry {
  /** where it could come again after this process was killed: one of its game server that was appended with this key is passed over */
  key?: string;
}

/** What the feed has told of a game server. */
export interface ServerFeed {
  /**
   * Appends entries of this game server, whatever was told so far; resolves with those that have not been appended before, by
   * their keys.
   */
  tellOnce(entries: readonly NewEntry[], lease?: Lease): Promise<readonly NewEntry[]>;
  /**
   * Appends to the feed in one step what `decide` makes of what was told so far; `decide` may be called more than once. When
   * the promise settles, every listener of this process has heard it, and it survives the process being killed.
   */
  append(
    decide: (presence: Presence) => { presence?: Presence; entries: readonly NewEntry[] },
    lease?: Lease,
  ): Promise<void>;
  /** What was told so far. */
  presence(): Promise<Presence>;
}

/**
 * The numbered log of what happened. Several sidecar processes may share one: any of them may append, and each hears of
 * everything.
 */
export interface FeedLog {
  /** Appends entries without keys, whatever was told so far; what is asked of the outbox in the same moment keeps their order. */
  tell(entries: readonly StoredFeedEntry[], lease?: Lease): Promise<void>;
  /** Calls back with what was appended, in order, everything of one moment together. */
  subscribe(listener: (entries: readonly FeedEntry[]) => void): () => void;
  /**
   * Calls back with entries that are passed over, ahead of what comes with them: the process before has appended them, and
   * perhaps told nobody who only listens.
   */
  onRepeated(listener: (entries: readonly NewEntry[]) => void): void;
  /**
   * Calls back when something was appended elsewhere and is gone before it was heard here: what is held begins again, and
   * listeners have missed something.
   */
  onHole(listener: () => void): void;
  /** Settles when everything that any process has appended before was heard here. */
  sync(): Promise<void>;
  /** The newest entries, oldest first, at most `limit`, and the place before them. */
  newest(limit: number): Promise<{ floor: string; entries: FeedEntry[] }>;
  /** What comes after a place, oldest first, at most `limit`; where something is gone, from the oldest on. */
  read(after: string, limit: number): Promise<LogPage>;
  /** Place of the newest entry. */
  last(): Promise<string>;
  /** The feed of the game server with this stored name, blank for the first one. */
  serverFeed(server: string): ServerFeed;
  close(): Promise<void>;
}

/** The feed in these records, of which it holds what is within the bounds. */
export function createFeedLog(deps: { records: RecordsWithStreams; clock: Clock; bounds: Bounds }): FeedLog {
  const { records, clock, bounds } = deps;
  const listeners = new Set<(entries: readonly FeedEntry[]) => void>();
  const repeatListeners = new Set<(entries: readonly NewEntry[]) => void>();
  const holeListeners: (() => void)[] = [];
  let window = createWindow(bounds, "0-0");
  let hasBegun = false;
  /** ids of what is let go */
  let gone: string[] = [];
  /** what the process before has appended, and nobody was told yet */
  let repeated: NewEntry[] = [];
  /** keys that this process has stored, by where they are */
  const stored = new Map<string, string>();

  function tellRepeated(): void {
    if (repeated.length === 0) return;
    const all = repeated;
    repeated = [];
    for (const listener of repeatListeners) listener(all);
  }

  const stopTail = records.tail(FEED, {
    begin(floor, entries) {
      window = createWindow(bounds, floor, entries.map(entryOf), ids => gone.push(...ids));
      window.trim(clock.now());
      if (hasBegun) for (const listener of holeListeners) listener();
      hasBegun = true;
    },
    add(entries) {
      const known = entries.map(entryOf);
      window.add(known, clock.now());
      tellRepeated();
      for (const listener of listeners) listener(known);
    },
  });

  function tidy(): Promise<void> {
    window.trim(clock.now());
    const ids = gone;
    gone = [];
    return records.drop(FEED, ids);
  }
  // Where the storage is away there is nothing to let go of.
  const stopTidying = clock.every(TIDY_MS, () => void tidy().catch(() => undefined));

  /** Those of the entries whose keys are new, which are noted; the others are repeated. */
  function appendNew(transaction: Transaction, server: string, entries: readonly NewEntry[]) {
    const [fresh, again]: [NewEntry[], NewEntry[]] = [[], []];
    const noted = new Map<string, string>();
    const places = entries.flatMap(({ key }) => (key === undefined ? [] : [reportedKey(server, key)]));
    if (places.length > 0) transaction.getMany(REPORTED, places);
    for (const entry of entries) {
      const { key } = entry;
      const place = key === undefined ? undefined : reportedKey(server, key);
      const isNew = place === undefined || transaction.get(REPORTED, place) !== key;
      (isNew ? fresh : again).push(entry);
      if (!isNew || place === undefined || key === undefined) continue;
      transaction.put(REPORTED, place, key);
      noted.set(place, key);
    }
    transaction.append(
      FEED,
      fresh.map(({ key: _key, ...entry }) => entry),
    );
    return { fresh, again, noted };
  }

  /** Appends entries of a game server, with what else `change` decides. */
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
    // Where several processes append, what another one has appended was heard here as well.
    if (!records.areShared)
      repeated.push(
        ...(done?.again ?? []).flatMap(({ key = "", ...entry }) =>
          stored.get(reportedKey(server, key)) === key ? [] : [entry],
        ),
      );
    if (!records.areShared) for (const [place, key] of done?.noted ?? []) stored.set(place, key);
    await appended;
    tellRepeated();
    return done?.fresh ?? [];
  }

  return {
    tell: (entries, lease) => records.transact(transaction => transaction.append(FEED, entries), { lease }),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onRepeated: listener => void repeatListeners.add(listener),
    onHole: listener => void holeListeners.push(listener),
    sync: () => records.sync(FEED),
    newest: async limit => window.newest(limit),
    async read(after, limit) {
      const { gap, entries } = window.after(after);
      return { gone: gap, entries: entries.slice(0, limit) };
    },
    last: async () => window.last(),
    serverFeed(server) {
      const of = presenceKey(server);
      return {
        tellOnce: (entries, lease) => append(server, () => ({ entries }), lease),
        async append(decide, lease) {
          await append(
            server,
            transaction => {
              const before = transaction.get(PRESENCE, of) ?? NEVER_ONLINE;
              const { presence: next = before, entries } = decide(before);
              return {
                entries,
                settle(fresh) {
                  // A step that comes again was taken before, and others may have come after it.
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
      stopTidying();
      // What cannot be let go of now is with the next start.
      await tidy().catch(() => undefined);
      stopTail();
      listeners.clear();
      repeatListeners.clear();
    },
  };
}

const entryOf = ({ id, entry }: StreamEntry<StoredFeedEntry>): FeedEntry => ({ id, ...entry });

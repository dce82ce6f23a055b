import type { Clock, SharedTime } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { StorageAway } from "../ports.ts";
import { later, parseId } from "../stream-ids.ts";
import {
  createStreamBuffer,
  type Stream,
  type StreamBuffer,
  type StreamEntry,
  type Streams,
} from "../streams.ts";
import type { DamageListener } from "../transaction.ts";
import type { RedisClient } from "./client.ts";
import { COMMIT_ALWAYS, commitValues, type Step } from "./commit.ts";
import type { RedisConnection } from "./connection.ts";
import { createReadWaiter, isAtOrAfter } from "./read-position.ts";
import type { StreamConsumer } from "./reader.ts";
import { entriesOf, listOf, maybeText, type RedisEntry } from "./script.ts";

/** How long dropped entries are stored for processes that have lost their connection, in milliseconds. */
const DROP_DELAY_MS = 60_000;
/** Entries dropped by one command. */
const MAX_DROPPED = 1_000;
/** Field of an entry's text. */
const FIELD = "e";

/** A stream that is read from the start. */
export interface OpenedStream {
  of: Stream<unknown>;
  /** approximate maximum of stored entries: over that, the oldest are removed even if they were not dropped */
  max: number;
}

interface StreamState extends OpenedStream {
  buffer: StreamBuffer;
  /** id of the last entry that was read */
  place: string;
  isLoaded: boolean;
  /** delay between storing and reading the newest entry, in milliseconds */
  lagMs: number;
  waiter: ReturnType<typeof createReadWaiter>;
  /** dropped here, but still stored */
  dropped: Set<string>;
}

const floorKey = ({ name }: Stream<unknown>): string => `${name}-floor`;
/** When an entry was stored, in milliseconds since 1970. */
const storedAt = (id: string): number => parseId(id)?.[0] ?? 0;

/** Streams shared by many processes, each of which reads all of them. */
export function createRedisStreams(deps: {
  redis: RedisConnection;
  /** clock of this machine, for network timeouts */
  machine: Clock;
  log: Pick<Log, "warn">;
  damaged: DamageListener;
  streams: readonly OpenedStream[];
}) {
  const { redis, machine, log, damaged } = deps;
  const now: SharedTime = redis.now;
  const states = new Map(
    deps.streams.map(({ of, max }) => {
      const waiter = createReadWaiter(machine, () => state.place);
      const state: StreamState = {
        of,
        max,
        waiter,
        buffer: createStreamBuffer(of),
        place: "0-0",
        isLoaded: false,
        lagMs: 0,
        dropped: new Set(),
      };
      return [of.name, state];
    }),
  );

  function stateOf({ name }: { readonly name: string }): StreamState {
    const state = states.get(name);
    if (state === undefined) throw new Error(`the stream ${name} is not read`);
    return state;
  }

  const readOf = (of: Stream<unknown>, stored: readonly RedisEntry[]): StreamEntry<unknown>[] =>
    stored.flatMap(({ id, fields }) => {
      const entry = of.parse(fields.get(FIELD) ?? "");
      if (entry === undefined) damaged(of, id);
      return entry === undefined ? [] : [{ id, entry }];
    });

  /** Reads the end of a stream if reading cannot continue from the last position. */
  async function load(state: StreamState, on: RedisClient): Promise<void> {
    const { of, max, place } = state;
    const key = redis.key(of.name);
    const newest = async (count: number): Promise<RedisEntry[]> =>
      entriesOf(await redis.askOn(on, "XREVRANGE", key, "+", "-", "COUNT", `${count}`)).reverse();
    if (of.forMs !== undefined) {
      const last = (await newest(1))[0]?.id ?? "0-0";
      // A Redis that has lost its data may continue with lower ids.
      if (!state.isLoaded || !isAtOrAfter(last, place)) state.place = last;
      state.isLoaded = true;
      return;
    }
    const last = await redis.askOn(on, "XRANGE", key, place, place);
    const floor = maybeText(await redis.askOn(on, "GET", redis.key(floorKey(of)))) ?? "0-0";
    const canContinue = place === floor || (entriesOf(last).length > 0 && isAtOrAfter(place, floor));
    if (state.isLoaded && canContinue) return;
    const found = await newest(max);
    state.place = found.at(-1)?.id ?? floor;
    if (state.isLoaded) log.warn({}, "Some events are no longer stored: readers get a gap event");
    state.isLoaded = true;
    state.buffer.begin(floor, readOf(of, found));
  }

  function onEntries(state: StreamState, entries: readonly RedisEntry[]): void {
    const last = entries.at(-1);
    if (last === undefined) return;
    state.place = last.id;
    state.lagMs = Math.max(0, now() - storedAt(last.id));
    state.buffer.add(readOf(state.of, entries));
    state.waiter.advanced();
  }

  redis.onServer(async ({ client }) => {
    for (const state of states.values()) await load(state, client);
  });

  const streams: Streams = {
    areShared: true,
    tail: (of, listener) => stateOf(of).buffer.tail(listener),
    async drop(of, ids) {
      const { buffer, dropped } = stateOf(of);
      buffer.drop(ids);
      for (const id of ids) dropped.add(id);
      const before = now() - DROP_DELAY_MS;
      const toDrop = [...dropped].filter(id => storedAt(id) < before).slice(0, MAX_DROPPED);
      if (toDrop.length === 0) return;
      const stored = maybeText(await redis.ask("GET", redis.key(floorKey(of))));
      const floor = toDrop.reduce(later, stored ?? "");
      const steps: Step[] = [
        { command: "XDEL", key: of.name, values: toDrop },
        { command: "SET", key: floorKey(of), values: [floor] },
      ];
      const { keys, values } = commitValues([{ key: floorKey(of), field: "", text: stored }], steps);
      const [isDone] = listOf(await redis.run(COMMIT_ALWAYS, keys, values));
      if (isDone === 1) for (const id of toDrop) dropped.delete(id);
    },
    async sync(of) {
      const newest = await redis.ask("XREVRANGE", redis.key(of.name), "+", "-", "COUNT", "1");
      const [last] = entriesOf(newest);
      if (last && !(await stateOf(of).waiter.waitUntilRead(last.id)))
        throw new StorageAway("the feed is not available at the moment");
    },
  };

  return {
    streams,
    /** The command that appends a text, and removes outdated entries. */
    appending({ name }: Stream<unknown>, text: string): Step {
      const { of, max } = stateOf({ name });
      const bound = of.forMs === undefined ? ["MAXLEN", "~", max] : ["MINID", "~", `${now() - of.forMs}-0`];
      return { command: "XADD", key: name, values: [...bound, "*", FIELD, text] };
    },
    /** Settles once a stream was read up to an id, or after a second. */
    waitUntilRead: async (of: Stream<unknown>, id: string): Promise<void> =>
      void (await stateOf(of).waiter.waitUntilRead(id)),
    /** Delay between storing and reading the newest entry of the first stream, in milliseconds. */
    lagMs: (): number => states.values().next().value?.lagMs ?? 0,
    /** The consumers of all streams. */
    reads: [...states.values()].map(
      (state): StreamConsumer => ({
        key: redis.key(state.of.name),
        place: () => state.place,
        onEntries: entries => onEntries(state, entries),
      }),
    ),
  };
}

export type RedisStreams = ReturnType<typeof createRedisStreams>;

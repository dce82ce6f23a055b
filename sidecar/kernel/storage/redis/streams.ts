import type { Clock, SharedTime } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { StorageAway } from "../ports.ts";
import { later, parseId } from "../stream-ids.ts";
import {
  createHeldStream,
  type HeldStream,
  type Stream,
  type StreamEntry,
  type Streams,
} from "../streams.ts";
import type { Damaged } from "../transaction.ts";
import type { RedisClient } from "./client.ts";
import { COMMIT_ALWAYS, commitValues, type Step } from "./commit.ts";
import type { RedisConnection } from "./connection.ts";
import { createHearing, isPast } from "./places.ts";
import type { StreamConsumer } from "./reader.ts";
import { entriesOf, listOf, maybeText, type RedisEntry } from "./script.ts";

/** How long entries that were dropped wait for processes which have lost their connection, in milliseconds. */
const SPARE_MS = 60_000;
/** Entries that one command drops. */
const MOST_DROPPED = 1_000;
/** Names the text of an entry. */
const FIELD = "e";

/** A stream that is read from the beginning on. */
export interface OpenedStream {
  of: Stream<unknown>;
  /** entries that are stored at most, more or less: what was not dropped goes then, the oldest first */
  most: number;
}

interface StreamState extends OpenedStream {
  held: HeldStream;
  /** the entry that was read last */
  place: string;
  isLoaded: boolean;
  /** how much later than it was stored the newest entry was heard, in milliseconds */
  lagMs: number;
  hearing: ReturnType<typeof createHearing>;
  /** dropped here, and still stored */
  dropped: Set<string>;
}

const floorKey = ({ name }: Stream<unknown>): string => `${name}-floor`;
/** When an entry was stored, in milliseconds since 1970. */
const storedAt = (id: string): number => parseId(id)?.[0] ?? 0;

/** Streams of many processes, each of which reads them all. */
export function createRedisStreams(deps: {
  redis: RedisConnection;
  /** of this machine: what waits on it waits for the network */
  machine: Clock;
  log: Pick<Log, "warn">;
  damaged: Damaged;
  streams: readonly OpenedStream[];
}) {
  const { redis, machine, log, damaged } = deps;
  const now: SharedTime = redis.now;
  const states = new Map(
    deps.streams.map(({ of, most }) => {
      const hearing = createHearing(machine, () => state.place);
      const state: StreamState = {
        of,
        most,
        hearing,
        held: createHeldStream(of),
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

  /** Reads the end of a stream, where that does not go on from what was read before. */
  async function load(state: StreamState, on: RedisClient): Promise<void> {
    const { of, most, place } = state;
    const key = redis.key(of.name);
    const newest = async (count: number): Promise<RedisEntry[]> =>
      entriesOf(await redis.askOn(on, "XREVRANGE", key, "+", "-", "COUNT", `${count}`)).reverse();
    if (of.forMs !== undefined) {
      const last = (await newest(1))[0]?.id ?? "0-0";
      // A Redis that has lost what was read may go on under lower ids.
      if (!state.isLoaded || !isPast(last, place)) state.place = last;
      state.isLoaded = true;
      return;
    }
    const last = await redis.askOn(on, "XRANGE", key, place, place);
    const floor = maybeText(await redis.askOn(on, "GET", redis.key(floorKey(of)))) ?? "0-0";
    const isHeld = place === floor || (entriesOf(last).length > 0 && isPast(place, floor));
    if (state.isLoaded && isHeld) return;
    const found = await newest(most);
    state.place = found.at(-1)?.id ?? floor;
    if (state.isLoaded) log.warn({}, "Some events are gone: readers get a gap event");
    state.isLoaded = true;
    state.held.begin(floor, readOf(of, found));
  }

  function onEntries(state: StreamState, entries: readonly RedisEntry[]): void {
    const last = entries.at(-1);
    if (last === undefined) return;
    state.place = last.id;
    state.lagMs = Math.max(0, now() - storedAt(last.id));
    state.held.add(readOf(state.of, entries));
    state.hearing.moved();
  }

  redis.onServer(async ({ client }) => {
    for (const state of states.values()) await load(state, client);
  });

  const streams: Streams = {
    areShared: true,
    tail: (of, listener) => stateOf(of).held.tail(listener),
    async drop(of, ids) {
      const { held, dropped } = stateOf(of);
      held.drop(ids);
      for (const id of ids) dropped.add(id);
      const before = now() - SPARE_MS;
      const gone = [...dropped].filter(id => storedAt(id) < before).slice(0, MOST_DROPPED);
      if (gone.length === 0) return;
      const stored = maybeText(await redis.ask("GET", redis.key(floorKey(of))));
      const floor = gone.reduce(later, stored ?? "");
      const steps: Step[] = [
        { command: "XDEL", key: of.name, values: gone },
        { command: "SET", key: floorKey(of), values: [floor] },
      ];
      const { keys, values } = commitValues([{ key: floorKey(of), field: "", text: stored }], steps);
      const [isDone] = listOf(await redis.run(COMMIT_ALWAYS, keys, values));
      if (isDone === 1) for (const id of gone) dropped.delete(id);
    },
    async sync(of) {
      const newest = await redis.ask("XREVRANGE", redis.key(of.name), "+", "-", "COUNT", "1");
      const [last] = entriesOf(newest);
      if (last && !(await stateOf(of).hearing.heard(last.id)))
        throw new StorageAway("the feed cannot be read at the moment");
    },
  };

  return {
    streams,
    /** What appends a text, and lets go of what nobody needs any more. */
    appending({ name }: Stream<unknown>, text: string): Step {
      const { of, most } = stateOf({ name });
      const bound = of.forMs === undefined ? ["MAXLEN", "~", most] : ["MINID", "~", `${now() - of.forMs}-0`];
      return { command: "XADD", key: name, values: [...bound, "*", FIELD, text] };
    },
    /** Settles once a stream was read up to an id, after a second at the latest. */
    heard: async (of: Stream<unknown>, id: string): Promise<void> =>
      void (await stateOf(of).hearing.heard(id)),
    /** How much later than it was stored the newest entry of the first stream was heard, in milliseconds. */
    lagMs: (): number => states.values().next().value?.lagMs ?? 0,
    /** What has to be read. */
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

import { messageOf } from "../../../../cli/errno.ts";
import type { Clock, SharedTime } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import type { Rate } from "../../../platform/rate.ts";
import { createMemoryRates } from "../memory-rates.ts";
import type { Rates, SharedBucket } from "../ports.ts";
import type { RedisConnection } from "./connection.ts";
import takeTokens from "./lua/take.lua";
import { listOf, maybeText, numberOf, script } from "./script.ts";

const TAKE = script(takeTokens);

/** How much longer than needed a key is stored, in milliseconds: the clock of another sidecar may be a little behind. */
const EXTRA_KEEP_MS = 10_000;

/** Takes in one request to Redis. */
const MAX_BATCH = 100;

/**
 * How old an answer "too little" may be, in milliseconds. A process that was suspended before it sent an old time, at which others
 * seem to have taken everything.
 */
const MAX_ANSWER_AGE_MS = 500;

/** How long a bucket that Redis reported empty counts as empty, at most, in milliseconds: another sidecar may give tokens back. */
const MAX_EMPTY_MS = 1_000;

/** A pending take: it waits for the index of the first bucket with too little. */
interface Take {
  buckets: readonly SharedBucket[];
  settle(place: number): void;
}

/** Refill time of one token, and of the whole bucket, in whole microseconds, whose sums are exact. */
function microsOf({ perSecond, burst }: Rate): [token: number, all: number] {
  const token = Math.max(1, Math.floor(1_000_000 / perSecond));
  return [token, Math.round(burst * token)];
}

/** Rates counted in Redis, and in this process alone while Redis is unreachable. */
export function createRedisRates(deps: {
  redis: Pick<RedisConnection, "ask" | "key" | "reach" | "run">;
  now: SharedTime;
  clock: Pick<Clock, "monotonic">;
  log: Pick<Log, "warn">;
}): Rates {
  const { redis, now, clock, log } = deps;
  const local = createMemoryRates(clock);
  /** the tokens of the buckets in the last answer of Redis */
  const seen = createMemoryRates(clock);
  let isLocal = false;

  /** Asks Redis, or counts alone if it fails: callers never wait for anything else. */
  async function withFallback<T>(ask: () => Promise<T>, fallback: () => T): Promise<T> {
    try {
      const answer = await ask();
      isLocal = false;
      return answer;
    } catch (error) {
      if (!isLocal)
        log.warn(
          { reason: messageOf(error) },
          "Shared rate limits unavailable: this sidecar counts on its own for now",
        );
      isLocal = true;
      return fallback();
    }
  }

  const bucketKey = ({ key, rate }: SharedBucket): string => `rate:${rate.name}:${key}`;
  const untilKey = (key: string): string => redis.key(`until:${key}`);
  const emptyKey = ({ key, rate }: SharedBucket): string => `over:${rate.name}:${rate.perSecond}:${key}`;
  /** Whether a bucket was just empty, and cannot have a token yet. */
  const isEmpty = (bucket: SharedBucket): boolean => local.remembers(emptyKey(bucket));

  /** Takes that wait for a request about the same first bucket: there is one request at a time for each bucket. */
  const waiting = new Map<string, Take[]>();

  async function sendBatches(key: string, first: Take): Promise<void> {
    const queued: Take[] = [];
    waiting.set(key, queued);
    for (let takes = [first]; takes.length > 0; takes.push(...queued.splice(0))) {
      const batch = takes.splice(0, MAX_BATCH);
      await withFallback(
        async () => void takes.unshift(...(await sendBatch(batch))),
        () => {
          // The rest does not wait for another answer that does not come.
          for (const { buckets, settle } of [...batch, ...takes.splice(0), ...queued.splice(0)])
            settle(local.take(...buckets));
        },
      );
    }
    waiting.delete(key);
  }

  /** Sends takes in order, and settles them up to the first bucket with too little; returns the remaining ones. */
  async function sendBatch(takes: readonly Take[]): Promise<readonly Take[]> {
    const firstOver = takes.map(({ buckets }) => buckets.findIndex(isEmpty));
    // Nothing is taken from a bucket after an empty one.
    const requested = takes.flatMap(({ buckets }, at) =>
      buckets
        .slice(0, firstOver[at] === -1 ? buckets.length : firstOver[at])
        .map((bucket, place) => ({ at, bucket, place })),
    );
    const since = clock.monotonic();
    const [index, micros] =
      requested.length === 0 ? [-1, 0] : await takeTokensOf(requested.map(({ bucket }) => bucket));
    const empty = requested[index];
    const answered = takes.slice(0, empty?.at);
    for (const [at, { settle }] of answered.entries()) settle(firstOver[at] ?? -1);
    if (empty === undefined) return [];
    const { cost = 1, rate } = empty.bucket;
    const untilOne = micros - (cost - 1) * microsOf(rate)[0];
    const tookMs = clock.monotonic() - since;
    const leftMs = untilOne / 1_000 - tookMs;
    if (leftMs > 0) local.remember(emptyKey(empty.bucket), Math.min(leftMs, MAX_EMPTY_MS));
    const refused = takes[empty.at];
    refused?.settle(tookMs > MAX_ANSWER_AGE_MS ? local.take(...refused.buckets) : empty.place);
    return takes.slice(empty.at + 1);
  }

  async function takeTokensOf(buckets: readonly SharedBucket[]): Promise<[index: number, micros: number]> {
    const micros = buckets.flatMap(({ rate, cost = 1 }) => {
      const [token, all] = microsOf(rate);
      return [token * cost, all];
    });
    const [index, left, missing] = listOf(
      await redis.run(TAKE, buckets.map(bucketKey), [now() * 1_000, ...micros]),
    );
    for (const [at, untilFull] of listOf(missing).entries()) {
      const bucket = buckets[at];
      if (bucket) seen.learn(bucket, bucket.rate.burst - numberOf(untilFull) / microsOf(bucket.rate)[0]);
    }
    return [numberOf(index), numberOf(left)];
  }

  return {
    take(...buckets) {
      const [first] = buckets;
      if (first === undefined || redis.reach.isAway()) return local.take(...buckets);
      if (isEmpty(first)) return 0;
      const key = bucketKey(first);
      return new Promise(settle => {
        const take = { buckets, settle };
        const queued = waiting.get(key);
        if (queued) queued.push(take);
        else void sendBatches(key, take);
      });
    },
    left: bucket => (redis.reach.isAway() ? local : seen).left(bucket),
    giveBack(bucket) {
      if (redis.reach.isAway()) return local.giveBack(bucket);
      local.remember(emptyKey(bucket), 0);
      const [token, all] = microsOf(bucket.rate);
      void withFallback(
        () => redis.run(TAKE, [bucketKey(bucket)], [now() * 1_000, -token, all]),
        () => local.giveBack(bucket),
      );
    },
    remember(key, forMs) {
      local.remember(key, forMs);
      if (redis.reach.isAway()) return;
      const command = ["SET", untilKey(key), `${now() + forMs}`, "PX", `${Math.ceil(forMs + EXTRA_KEEP_MS)}`];
      void withFallback<unknown>(
        () => redis.ask(...command),
        () => undefined,
      );
    },
    remembers(key) {
      if (local.remembers(key) || redis.reach.isAway()) return local.remembers(key);
      return withFallback(
        async () => now() < Number(maybeText(await redis.ask("GET", untilKey(key))) ?? 0),
        () => false,
      );
    },
  };
}

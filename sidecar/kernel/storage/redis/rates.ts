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

/** How much longer than needed a key is kept, in milliseconds: the time of another sidecar may be a little behind. */
const KEPT_MS = 10_000;

/** Takes that one question is about. */
const MOST_ASKED = 100;

/**
 * How old an answer of "too little" may be, in milliseconds: whoever stood still between asking and that has asked by a time which
 * is over, by which others seem to have taken everything.
 */
const STALE_MS = 500;

/** How long at most a bucket counts as empty that Redis has said is, in milliseconds: another sidecar may give something back. */
const MOMENT_MS = 1_000;

/** What waits to know which of its buckets is the first to have too little. */
interface Take {
  buckets: readonly SharedBucket[];
  settle(place: number): void;
}

/** How long it takes a token, and all of a bucket, to come back, in whole microseconds: sums of those are exact. */
function microsOf({ perSecond, burst }: Rate): [token: number, all: number] {
  const token = Math.max(1, Math.floor(1_000_000 / perSecond));
  return [token, Math.round(burst * token)];
}

/** Counts in Redis, and while that cannot be asked, in this process alone. */
export function createRedisRates(deps: {
  redis: Pick<RedisConnection, "ask" | "key" | "reach" | "run">;
  now: SharedTime;
  clock: Pick<Clock, "monotonic">;
  log: Pick<Log, "warn">;
}): Rates {
  const { redis, now, clock, log } = deps;
  const own = createMemoryRates(clock);
  let isAlone = false;

  /** Whatever Redis answers or does not answer, nobody waits for anything but this. */
  async function shared<T>(ask: () => Promise<T>, alone: () => T): Promise<T> {
    try {
      const answer = await ask();
      isAlone = false;
      return answer;
    } catch (error) {
      if (!isAlone)
        log.warn({ reason: messageOf(error) }, "Shared rate limits unavailable: this sidecar counts on its own for now");
      isAlone = true;
      return alone();
    }
  }

  const bucketKey = ({ key, rate }: SharedBucket): string => `rate:${rate.name}:${key}`;
  const untilKey = (key: string): string => redis.key(`until:${key}`);
  const overKey = ({ key, rate }: SharedBucket): string => `over:${rate.name}:${rate.perSecond}:${key}`;
  /** Whether a bucket was empty a moment ago, and cannot have a token yet. */
  const isOver = (bucket: SharedBucket): boolean => own.remembers(overKey(bucket));

  /** What waits behind a question about the same first bucket: of each bucket there is one at a time. */
  const waiting = new Map<string, Take[]>();

  async function askInTurn(key: string, first: Take): Promise<void> {
    const behind: Take[] = [];
    waiting.set(key, behind);
    for (let takes = [first]; takes.length > 0; takes.push(...behind.splice(0))) {
      const asked = takes.splice(0, MOST_ASKED);
      await shared(
        async () => void takes.unshift(...(await unanswered(asked))),
        () => {
          // Nobody waits for another answer that does not come.
          for (const { buckets, settle } of [...asked, ...takes.splice(0), ...behind.splice(0)])
            settle(own.take(...buckets));
        },
      );
    }
    waiting.delete(key);
  }

  /** Asks about takes in their order, and answers them up to the first that meets a bucket with too little; those behind it. */
  async function unanswered(takes: readonly Take[]): Promise<readonly Take[]> {
    const firstOver = takes.map(({ buckets }) => buckets.findIndex(isOver));
    // Nothing is taken from a bucket behind an empty one.
    const asked = takes.flatMap(({ buckets }, at) =>
      buckets
        .slice(0, firstOver[at] === -1 ? buckets.length : firstOver[at])
        .map((bucket, place) => ({ at, bucket, place })),
    );
    const since = clock.monotonic();
    const [found, micros] =
      asked.length === 0 ? [-1, 0] : await takeTokensOf(asked.map(({ bucket }) => bucket));
    const empty = asked[found];
    const answered = takes.slice(0, empty?.at);
    for (const [at, { settle }] of answered.entries()) settle(firstOver[at] ?? -1);
    if (empty === undefined) return [];
    const { cost = 1, rate } = empty.bucket;
    const untilOne = micros - (cost - 1) * microsOf(rate)[0];
    const askedMs = clock.monotonic() - since;
    const leftMs = untilOne / 1_000 - askedMs;
    if (leftMs > 0) own.remember(overKey(empty.bucket), Math.min(leftMs, MOMENT_MS));
    const refused = takes[empty.at];
    refused?.settle(askedMs > STALE_MS ? own.take(...refused.buckets) : empty.place);
    return takes.slice(empty.at + 1);
  }

  async function takeTokensOf(buckets: readonly SharedBucket[]): Promise<[found: number, micros: number]> {
    const micros = buckets.flatMap(({ rate, cost = 1 }) => {
      const [token, all] = microsOf(rate);
      return [token * cost, all];
    });
    const [found, left] = listOf(await redis.run(TAKE, buckets.map(bucketKey), [now() * 1_000, ...micros]));
    return [numberOf(found), numberOf(left)];
  }

  return {
    take(...buckets) {
      const [first] = buckets;
      if (first === undefined || redis.reach.isAway()) return own.take(...buckets);
      if (isOver(first)) return 0;
      const key = bucketKey(first);
      return new Promise(settle => {
        const take = { buckets, settle };
        const behind = waiting.get(key);
        if (behind) behind.push(take);
        else void askInTurn(key, take);
      });
    },
    giveBack(bucket) {
      if (redis.reach.isAway()) return own.giveBack(bucket);
      own.remember(overKey(bucket), 0);
      const [token, all] = microsOf(bucket.rate);
      void shared(
        () => redis.run(TAKE, [bucketKey(bucket)], [now() * 1_000, -token, all]),
        () => own.giveBack(bucket),
      );
    },
    remember(key, forMs) {
      own.remember(key, forMs);
      if (redis.reach.isAway()) return;
      const command = ["SET", untilKey(key), `${now() + forMs}`, "PX", `${Math.ceil(forMs + KEPT_MS)}`];
      void shared<unknown>(
        () => redis.ask(...command),
        () => undefined,
      );
    },
    remembers(key) {
      if (own.remembers(key) || redis.reach.isAway()) return own.remembers(key);
      return shared(
        async () => now() < Number(maybeText(await redis.ask("GET", untilKey(key))) ?? 0),
        () => false,
      );
    },
  };
}

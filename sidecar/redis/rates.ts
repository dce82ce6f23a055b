import { messageOf } from "../../cli/errno.ts";
import type { Rate } from "../domain/rate.ts";
import type { Clock, Log, Rates, SharedBucket, SharedTime } from "../ports.ts";
import { createMemoryRates } from "../store/rates.ts";
import type { Connection } from "./connection.ts";
import takeTokens from "./lua/take.lua";
import { maybeText, numberOf } from "./reply.ts";
import { script } from "./script.ts";

const TAKE = script(takeTokens);

/** How much longer than needed a key is kept, in milliseconds: the time of another sidecar may be a little behind. */
const KEPT_MS = 10_000;

/** How long it takes a token, and all of a bucket, to come back, in whole microseconds: sums of those are exact. */
function microsOf({ perSecond, burst }: Rate): [token: number, all: number] {
  const token = Math.max(1, Math.floor(1_000_000 / perSecond));
  return [token, Math.round(burst * token)];
}

/** Counts in Redis, and while that cannot be asked, in this process alone. */
export function createRedisRates(deps: {
  redis: Pick<Connection, "ask" | "key" | "reach" | "run">;
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
        log.warn({ reason: messageOf(error) }, "limits are counted by this sidecar alone for now");
      isAlone = true;
      return alone();
    }
  }

  const bucketKey = ({ key, rate }: SharedBucket): string => `rate:${rate.name}:${key}`;
  const untilKey = (key: string): string => redis.key(`until:${key}`);

  return {
    take(...buckets) {
      if (redis.reach.isAway()) return own.take(...buckets);
      const micros = buckets.flatMap(({ rate, cost = 1 }) => {
        const [token, all] = microsOf(rate);
        return [token * cost, all];
      });
      return shared(
        async () => numberOf(await redis.run(TAKE, buckets.map(bucketKey), [now() * 1_000, ...micros])),
        () => own.take(...buckets),
      );
    },
    giveBack(bucket) {
      if (redis.reach.isAway()) return own.giveBack(bucket);
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

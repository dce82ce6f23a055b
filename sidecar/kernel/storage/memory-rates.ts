import { dropOldest } from "../../../shared/drop-oldest.ts";
import type { Clock } from "../../platform/clock.ts";
import { type Bucket, type NamedRate, takeToken, tokensAt } from "../../platform/rate.ts";
import type { Rates, SharedBucket } from "./ports.ts";

/** Keys that one limit remembers; over that, the oldest one is forgotten. */
const MAX_KEYS = 20_000;

/** Rates of this process only; they answer synchronously. */
export function createMemoryRates(clock: Pick<Clock, "monotonic">) {
  /** by name, so that keys of one limit cannot evict those of another */
  const buckets = new Map<string, Map<string, Bucket>>();
  /** expiry times, by key */
  const remembered = new Map<string, number>();

  function bucketOf({ name, burst }: NamedRate, key: string, now: number): Bucket {
    let known = buckets.get(name);
    if (known === undefined) {
      known = new Map();
      buckets.set(name, known);
    }
    let bucket = known.get(key);
    if (bucket === undefined) {
      bucket = { tokens: burst, at: now };
      known.set(key, bucket);
      dropOldest(known, MAX_KEYS);
    }
    return bucket;
  }

  return {
    take(...taken) {
      const now = clock.monotonic();
      return taken.findIndex(({ key, rate, cost }) => !takeToken(bucketOf(rate, key, now), rate, now, cost));
    },
    left({ key, rate }) {
      const bucket = buckets.get(rate.name)?.get(key);
      return bucket === undefined ? rate.burst : tokensAt(bucket, rate, clock.monotonic());
    },
    /** Has `left` count from this number of tokens on. */
    learn({ key, rate }: SharedBucket, tokens: number): void {
      const now = clock.monotonic();
      Object.assign(bucketOf(rate, key, now), { tokens, at: now });
    },
    giveBack({ key, rate }) {
      const bucket = buckets.get(rate.name)?.get(key);
      if (bucket) bucket.tokens += 1;
    },
    remember(key, forMs) {
      remembered.delete(key);
      remembered.set(key, clock.monotonic() + forMs);
      dropOldest(remembered, MAX_KEYS);
    },
    remembers: key => clock.monotonic() < (remembered.get(key) ?? 0),
  } satisfies Rates & { learn: unknown };
}

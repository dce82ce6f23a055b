/** A bucket of tokens that fills up steadily: `tokens` as of `at`, in milliseconds of the monotonic clock. */
export interface Bucket {
  tokens: number;
  at: number;
}

export interface Rate {
  /** tokens that come back each second */
  perSecond: number;
  /** tokens that a full bucket holds */
  burst: number;
}

/** Takes a token out of the bucket; false when there is none, and then nothing changes. */
export function takeToken(bucket: Bucket, rate: Rate, now: number): boolean {
  const tokens = Math.min(rate.burst, bucket.tokens + ((now - bucket.at) / 1000) * rate.perSecond);
  bucket.at = now;
  bucket.tokens = tokens >= 1 ? tokens - 1 : tokens;
  return tokens >= 1;
}

/** Keys that one limit remembers; past it the one that has been known longest is forgotten. */
const MAX_KEYS = 20_000;

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** Limits how often something may happen for each key, for example for each address. */
export function createRateLimiter(rate: Rate) {
  const buckets = new Map<string, Bucket>();
  return {
    /** Counts one for this key; false when the key is over the rate. */
    take(key: string, now: number): boolean {
      let bucket = buckets.get(key);
      if (!bucket) {
        bucket = { tokens: rate.burst, at: now };
        buckets.set(key, bucket);
        if (buckets.size > MAX_KEYS) {
          const oldest = buckets.keys().next().value;
          if (oldest !== undefined) buckets.delete(oldest);
        }
      }
      return takeToken(bucket, rate, now);
    },
    /** Takes back what was counted last for this key. */
    giveBack(key: string): void {
      const bucket = buckets.get(key);
      if (bucket) bucket.tokens += 1;
    },
    /** seconds until a key that is over the rate has a token again, at least 1 */
    retryAfterSeconds: Math.max(1, Math.ceil(1 / rate.perSecond)),
  };
}

/** So many each minute, all of them at once if need be. */
export const perMinute = (count: number): Rate => ({ perSecond: count / 60, burst: count });

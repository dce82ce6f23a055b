/** A token bucket: `tokens` as of `at`, in milliseconds of the monotonic clock. */
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

/** A rate with the name of its limit: buckets of different names are independent. */
export interface NamedRate extends Rate {
  name: string;
}

/** Tokens of a bucket at a later time. */
export const tokensAt = ({ tokens, at }: Bucket, { perSecond, burst }: Rate, now: number): number =>
  Math.min(burst, tokens + ((now - at) / 1000) * perSecond);

/** Takes `cost` tokens; false: there are not enough, and none is taken. */
export function takeToken(bucket: Bucket, rate: Rate, now: number, cost = 1): boolean {
  const tokens = tokensAt(bucket, rate, now);
  bucket.at = now;
  bucket.tokens = tokens >= cost ? tokens - cost : tokens;
  return tokens >= cost;
}

/** A rate per minute, with a burst of the same size. */
export const perMinute = (count: number): Rate => ({ perSecond: count / 60, burst: count });

/** Seconds until an empty bucket has so many tokens again, at least 1. */
export const secondsToNext = ({ perSecond }: Rate, tokens = 1): number =>
  Math.max(1, Math.ceil(tokens / perSecond));

/** Bytes of a response that cost one token. */
const PAID_BYTES = 16 * 1024;

/** Tokens that a response costs in addition to its request; at most a quarter of the burst, so that it can be paid. */
export const costOf = (bytes: number, { burst }: Rate): number =>
  Math.min(Math.floor(bytes / PAID_BYTES), Math.floor(burst / 4));

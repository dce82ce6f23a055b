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

/** A rate by the name of its limit: buckets of different names have nothing to do with each other. */
export interface NamedRate extends Rate {
  name: string;
}

/** Takes a token out of the bucket; false when there is none, and then nothing changes. */
export function takeToken(bucket: Bucket, rate: Rate, now: number): boolean {
  const tokens = Math.min(rate.burst, bucket.tokens + ((now - bucket.at) / 1000) * rate.perSecond);
  bucket.at = now;
  bucket.tokens = tokens >= 1 ? tokens - 1 : tokens;
  return tokens >= 1;
}

/** So many each minute, all of them at once if need be. */
export const perMinute = (count: number): Rate => ({ perSecond: count / 60, burst: count });

/** Seconds until an empty bucket has a token again, at least 1. */
export const secondsToNext = ({ perSecond }: Rate): number => Math.max(1, Math.ceil(1 / perSecond));

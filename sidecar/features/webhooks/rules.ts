const FIRST_MS = 1_000;
/** With jitter, this is the longest wait of five minutes. */
const MAX_MS = 240_000;
/** Largest random addition to a wait, as a share of it. */
const JITTER = 0.25;
/** Bounds of a wait requested by the receiver. */
const MIN_REQUESTED_MS = 250;
const MAX_REQUESTED_MS = 300_000;
/** How long something may fail before it is disabled, in milliseconds. */
export const DISABLE_AFTER_MS = 86_400_000;

/** A failure: since when (monotonic), and how many attempts in a row. */
export interface Failing {
  since: number;
  tries: number;
}

/** `isRequested`: the receiver requested a later retry, so the waits do not grow. */
export const failedAgain = (failing: Failing | undefined, now: number, isRequested: boolean): Failing => ({
  since: failing?.since ?? now,
  tries: (failing?.tries ?? 0) + (isRequested ? 0 : 1),
});

/** How much longer it may fail before it is disabled, in milliseconds. */
export const leftUntilDisabled = ({ since }: Failing, now: number): number => since + DISABLE_AFTER_MS - now;

/**
 * How long to wait before the next attempt, in milliseconds: a second, doubled each time up to five minutes, or as requested by the
 * receiver.
 * @param random from 0 to 1
 */
export function waitBefore({ tries }: Failing, requestedMs: number | undefined, random: number): number {
  if (requestedMs !== undefined) return Math.min(Math.max(requestedMs, MIN_REQUESTED_MS), MAX_REQUESTED_MS);
  return Math.min(FIRST_MS * 2 ** (tries - 1), MAX_MS) * (1 + JITTER * random);
}

const FIRST_MS = 1_000;
/** With jitter on it, this is the longest wait of five minutes. */
const LONGEST_MS = 240_000;
/** How much longer than its step a wait may be. */
const JITTER = 0.25;
/** Bounds of a wait that the other side has asked for. */
const LEAST_ASKED_MS = 250;
const MOST_ASKED_MS = 300_000;
/** How long something may fail before it is given up, in milliseconds. */
export const GIVE_UP_MS = 86_400_000;

/** Something that fails: since when, on a clock that only rises, and how often in a row it was tried. */
export interface Failing {
  since: number;
  tries: number;
}

/** `isAsked`: the other side only asks for patience, and the waits do not grow. */
export const failedAgain = (failing: Failing | undefined, now: number, isAsked: boolean): Failing => ({
  since: failing?.since ?? now,
  tries: (failing?.tries ?? 0) + (isAsked ? 0 : 1),
});

/** How long it may fail yet before it is given up, in milliseconds. */
export const leftUntilGivenUp = ({ since }: Failing, now: number): number => since + GIVE_UP_MS - now;

/**
 * How long to wait before the next try, in milliseconds: a second, doubled with each try up to five minutes, or what the
 * other side has asked for.
 * @param random from 0 to 1
 */
export function waitBefore({ tries }: Failing, askedMs: number | undefined, random: number): number {
  if (askedMs !== undefined) return Math.min(Math.max(askedMs, LEAST_ASKED_MS), MOST_ASKED_MS);
  return Math.min(FIRST_MS * 2 ** (tries - 1), LONGEST_MS) * (1 + JITTER * random);
}

/** Wait after the first failure, in ticks. */
const FIRST_WAIT_TICKS = 4;

/** Longest wait after a refusal, in ticks: 15 s. */
export const LONGEST_WAIT_TICKS = 300;

/** Longest wait for a sidecar that may be back any moment, in ticks: 1.5 s. */
export const LONGEST_AWAY_TICKS = 30;

/**
 * Ticks to wait after the given number of failures in a row: doubles from 4, a quarter more or less by chance, at
 * most `longest`. `random` gives a number from 0 up to 1.
 */
export function waitTicks(failures: number, random: () => number, longest = LONGEST_WAIT_TICKS): number {
  const base = FIRST_WAIT_TICKS * 2 ** Math.min(Math.max(failures, 1) - 1, 16);
  const spread = Math.min(base, longest) * (0.75 + 0.5 * random());
  return Math.min(Math.max(Math.round(spread), 1), longest);
}

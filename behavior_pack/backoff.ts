/** Wait after the first failure, in ticks. */
const FIRST_WAIT_TICKS = 4;

/** Longest wait, in ticks: 15 s. */
export const LONGEST_WAIT_TICKS = 300;

/**
 * Ticks to wait after the given number of failures in a row: doubles from 4, a quarter more or less by chance, at
 * most 15 s. `random` gives a number from 0 up to 1.
 */
export function waitTicks(failures: number, random: () => number): number {
  const base = FIRST_WAIT_TICKS * 2 ** Math.min(Math.max(failures, 1) - 1, 16);
  const spread = Math.min(base, LONGEST_WAIT_TICKS) * (0.75 + 0.5 * random());
  return Math.min(Math.max(Math.round(spread), 1), LONGEST_WAIT_TICKS);
}

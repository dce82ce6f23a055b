const MIN_MS = 1_000;
const MAX_MS = 30_000;
/** A sidecar that has run this long was healthy, in milliseconds. */
const HEALTHY_MS = 60_000;

/**
 * How long to wait until the sidecar is started again, in milliseconds.
 * @param ranMs how long it has run
 * @param before the previous wait; undefined: none
 */
export function restartDelay(ranMs: number, before: number | undefined): number {
  return before === undefined || ranMs >= HEALTHY_MS ? MIN_MS : Math.min(2 * before, MAX_MS);
}

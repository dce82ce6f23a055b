const MIN_FRESH_MS = 15_000;

/** How long a snapshot may be shown, in milliseconds: three refresh intervals, at least 15 s. */
export function freshForMs(refreshMs: number): number {
  return Math.max(MIN_FRESH_MS, 3 * refreshMs);
}

/** How long a decline counts, in milliseconds. */
const WINDOW_MS = 10 * 60_000;

/** Knows when somebody has declined so much that they should hear how to be left alone. */
export function createHints<K extends object>() {
  const begun = new WeakMap<K, { at: number; told: boolean }>();
  return {
    /** Counts a decline at wall time `now`. True: it is the second one within ten minutes. */
    declined(who: K, now: number): boolean {
      const first = begun.get(who);
      if (first === undefined || Math.abs(now - first.at) >= WINDOW_MS) {
        begun.set(who, { at: now, told: false });
        return false;
      }
      const tell = !first.told;
      first.told = true;
      return tell;
    },
  };
}

import { createSeen } from "./recent-keys.ts";

/** How long a decline counts, in milliseconds. */
const WINDOW_MS = 10 * 60_000;

/** Players whose declines are remembered. */
const REMEMBERED = 256;

/** Knows when somebody has declined so much that they should hear how to be left alone. */
export function createHints() {
  const begun = createSeen<{ at: number; told: boolean }>(REMEMBERED);
  return {
    /** Counts a decline of the player of this identity at wall time `now`. True: it is the second one within ten minutes. */
    declined(who: string, now: number): boolean {
      const first = begun.get(who);
      if (first === undefined || Math.abs(now - first.at) >= WINDOW_MS) {
        begun.add(who, { at: now, told: false });
        return false;
      }
      const tell = !first.told;
      first.told = true;
      return tell;
    },
  };
}

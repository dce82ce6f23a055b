import type { Clock } from "../../../platform/clock.ts";

export type Timers = Pick<Clock, "every">;

/** What passes in one go counts as this much, in milliseconds: a process that stood still has answers to read first. */
const STEP_MS = 100;

/**
 * Calls back whenever `ms` milliseconds have passed in which this process ran and nobody began the time anew, until that is
 * ended.
 */
export function whileAwake(clock: Timers, ms: number, callback: () => void) {
  let awakeMs = 0;
  const end = clock.every(STEP_MS, () => {
    awakeMs += STEP_MS;
    if (awakeMs < ms) return;
    awakeMs = 0;
    callback();
  });
  return {
    beginAgain(): void {
      awakeMs = 0;
    },
    end,
  };
}

/** What a promise comes to, or what `late` gives when that takes longer, in milliseconds in which this process ran. */
export function within<T>(clock: Timers, ms: number, promise: Promise<T>, late: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const { end } = whileAwake(clock, ms, () => {
      end();
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    });
    promise.finally(end).then(resolve, reject);
  });
}

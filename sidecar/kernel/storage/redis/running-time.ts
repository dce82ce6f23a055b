import type { Clock } from "../../../platform/clock.ts";

export type Timers = Pick<Clock, "every">;

/** One interval counts as this much, in milliseconds, however long it took: a suspended process first has to read its answers. */
const STEP_MS = 100;

/**
 * Calls back whenever `ms` milliseconds of running time of this process have passed since the start or the last `restart`, until it
 * is ended. Time in which the process was suspended does not count.
 */
export function onRunningTime(clock: Timers, ms: number, callback: () => void) {
  let runningMs = 0;
  const end = clock.every(STEP_MS, () => {
    runningMs += STEP_MS;
    if (runningMs < ms) return;
    runningMs = 0;
    callback();
  });
  return {
    restart(): void {
      runningMs = 0;
    },
    end,
  };
}

/** Settles like the promise, or with the result of `late` if that takes longer than `ms` milliseconds of running time. */
export function within<T>(clock: Timers, ms: number, promise: Promise<T>, late: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const { end } = onRunningTime(clock, ms, () => {
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

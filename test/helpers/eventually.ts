import { setTimeout as sleep } from "node:timers/promises";

const EVERY_MS = 10;
/** Long enough for a busy machine; it measures nothing. */
export const TEST_TIMEOUT_MS = 120_000;

/** Repeats a check until it does not throw, and returns its result. After the time limit it throws the last error. */
export async function eventually<T>(check: () => T): Promise<Awaited<T>> {
  const end = performance.now() + TEST_TIMEOUT_MS;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await sleep(EVERY_MS);
  }
}

/** Waits until a condition is true. */
export const until = (condition: () => unknown): Promise<void> =>
  eventually(() => {
    if (!condition()) throw new Error(`not true in time: ${condition}`);
  });

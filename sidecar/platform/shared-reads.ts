import type { Clock } from "./clock.ts";

/** Longest wait of a read for the previous one, in milliseconds: that may never end. */
const READ_TIMEOUT_MS = 1_000;

/**
 * Shares reads between callers. A caller during a read gets the result of the next one, which begins when that has ended, or after
 * `READ_TIMEOUT_MS`: so each sees all earlier changes. Callers share failures, too, and must not change the result.
 */
export function createSharedReads<T>(clock: Pick<Clock, "after">, begin: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  let next: Promise<T> | undefined;

  function read(): Promise<T> {
    next = undefined;
    const begun = begin();
    current = begun;
    const end = (): void => {
      if (current === begun) current = undefined;
    };
    begun.then(end, end);
    return begun;
  }

  /** Settles when a read has ended or has taken too long. */
  const settled = (before: Promise<T>): Promise<void> =>
    new Promise(resolve => {
      const cancel = clock.after(READ_TIMEOUT_MS, resolve);
      const end = (): void => {
        cancel();
        resolve();
      };
      before.then(end, end);
    });

  return () => {
    if (next !== undefined) return next;
    if (current === undefined) return read();
    next = settled(current).then(read);
    return next;
  };
}

import type { Clock } from "./clock.ts";

/** How long a read waits for the one before it at most, in milliseconds: longer where that one may never end. */
const PATIENCE_MS = 1_000;

/**
 * One read for all who ask at once. Whoever asks while one goes on gets what the next one gives, which begins when that has
 * ended, `PATIENCE_MS` later at the latest: each sees what was done before it asked. Whoever asks until then joins them, and
 * shares its failure, too. What is shared is not to be changed.
 */
export function createSharedReads<T>(clock: Pick<Clock, "after">, begin: () => Promise<T>): () => Promise<T> {
  let going: Promise<T> | undefined;
  let next: Promise<T> | undefined;

  function read(): Promise<T> {
    next = undefined;
    const begun = begin();
    going = begun;
    const end = (): void => {
      if (going === begun) going = undefined;
    };
    begun.then(end, end);
    return begun;
  }

  /** Settles when a read has ended, however it did, or has taken too long. */
  const over = (before: Promise<T>): Promise<void> =>
    new Promise(resolve => {
      const cancel = clock.after(PATIENCE_MS, resolve);
      const end = (): void => {
        cancel();
        resolve();
      };
      before.then(end, end);
    });

  return () => {
    if (next !== undefined) return next;
    if (going === undefined) return read();
    next = over(going).then(read);
    return next;
  };
}

import type { Clock } from "../../../platform/clock.ts";
import { compareIds, parseId } from "../stream-ids.ts";
import { onRunningTime } from "./running-time.ts";

/** How long to wait until a stored entry is read here, in milliseconds. */
const MAX_WAIT_MS = 1_000;

/** Whether a position in a stream is equal to or after another one. */
export function isAtOrAfter(position: string, other: string): boolean {
  const [a, b] = [parseId(position), parseId(other)];
  return a !== undefined && b !== undefined && compareIds(a, b) >= 0;
}

/** Waits for a stream to be read up to a position; `read` returns the current one. */
export function createReadWaiter(clock: Clock, read: () => string) {
  let waiting: { position: string; settle(isReached: boolean): void }[] = [];
  return {
    /** Settles once the stream was read up to a position, or after a second; returns whether it was. */
    waitUntilRead(position: string): Promise<boolean> {
      if (isAtOrAfter(read(), position)) return Promise.resolve(true);
      return new Promise(resolve => {
        const waiter = {
          position,
          settle(isReached: boolean) {
            end();
            resolve(isReached);
          },
        };
        const { end } = onRunningTime(clock, MAX_WAIT_MS, () => {
          waiting = waiting.filter(each => each !== waiter);
          waiter.settle(false);
        });
        waiting.push(waiter);
      });
    },
    /** To be called when more was read. */
    advanced(): void {
      const position = read();
      const [now, later] = [
        waiting.filter(each => isAtOrAfter(position, each.position)),
        waiting.filter(each => !isAtOrAfter(position, each.position)),
      ];
      waiting = later;
      for (const { settle } of now) settle(true);
    },
  };
}

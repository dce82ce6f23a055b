import type { Clock } from "../../../platform/clock.ts";
import { compareIds, parseId } from "../stream-ids.ts";
import { whileAwake } from "./awake.ts";

/** How long it is waited for what was stored to be heard here, in milliseconds. */
const HEARD_MS = 1_000;

/** Whether a place in a stream is at or behind another one. */
export function isPast(place: string, other: string): boolean {
  const [a, b] = [parseId(place), parseId(other)];
  return a !== undefined && b !== undefined && compareIds(a, b) >= 0;
}

/** Who waits until a stream was read up to a place. */
export function createHearing(clock: Clock, read: () => string) {
  let waiting: { place: string; go(isHeard: boolean): void }[] = [];
  return {
    /** Settles once the stream was read up to a place, after a second at the latest; whether it was. */
    heard(place: string): Promise<boolean> {
      if (isPast(read(), place)) return Promise.resolve(true);
      return new Promise(resolve => {
        const own = {
          place,
          go(isHeard: boolean) {
            end();
            resolve(isHeard);
          },
        };
        const { end } = whileAwake(clock, HEARD_MS, () => {
          waiting = waiting.filter(each => each !== own);
          own.go(false);
        });
        waiting.push(own);
      });
    },
    /** To be called when it was read further. */
    moved(): void {
      const at = read();
      const [now, later] = [
        waiting.filter(each => isPast(at, each.place)),
        waiting.filter(each => !isPast(at, each.place)),
      ];
      waiting = later;
      for (const { go } of now) go(true);
    },
  };
}

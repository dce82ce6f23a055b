import type { FeedEntry } from "../domain/feed.ts";
import type { Cut } from "../domain/refused.ts";

/** A request to make. */
interface Delivery {
  /** how many of the entries it tells of, from the first on */
  count: number;
  headers: Record<string, string>;
  body: string;
}

/** How events are put into requests. */
export interface Format {
  /** the address, with what the format adds to it */
  url: string;
  /** How long to wait for more events that go along with this one, in milliseconds. */
  waitMs(first: FeedEntry, now: number): number;
  /**
   * The next request.
   * @param entries at least one, oldest first
   * @param behind whether something waits ever since one was not taken, or since before the start
   * @param now wall time
   * @param cut how it is made where it was refused for good
   */
  next(entries: readonly FeedEntry[], behind: boolean, now: number, cut?: Cut): Delivery;
  /** Whether a status refuses what was sent, for good, so that what is left out of it may help. */
  refuses(status: number): boolean;
}

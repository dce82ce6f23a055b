import type { FeedEntry } from "../feed/rules.ts";
import type { Answered } from "./post.ts";
import type { Cut } from "./refused.ts";

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
  /** headers of every request */
  headers: Record<string, string>;
  /** Whether an answer refuses the message for good, so that a message with less in it may be taken. */
  refuses(answer: Answered): boolean;
  /** Whether an answer says that nothing will be taken at this address ever again. */
  isGone(answer: Answered): boolean;
  /** What an answer means, and what to do, where that is special to the format. */
  meaningOf(answer: Answered): string | undefined;
}

import { createHmac } from "node:crypto";
import type { FeedEntry } from "../feed/rules/window.ts";
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
   * @param cut how it is made where it was permanently rejected
   */
  next(entries: readonly FeedEntry[], behind: boolean, now: number, cut?: Cut): Delivery;
  /** headers of every request */
  headers: Record<string, string>;
  /** Whether an answer rejects the message permanently, so that a message with less in it may be taken. */
  refuses(answer: Answered): boolean;
  /** Whether an answer says that nothing will be taken at this address ever again. */
  isGone(answer: Answered): boolean;
  /** What an answer means, and what to do, where that is special to the format. */
  meaningOf(answer: Answered): string | undefined;
}

/** Length of the `whsec_` that a secret begins with. */
const PREFIX = "whsec_".length;

const MEANINGS: Readonly<Record<number, string>> = {
  401: "the secret is another there, or the address is wrong",
  410: "the receiver wants no more events, and the webhook is switched off",
};

/** Each event in a request of its own, signed as the Standard Webhooks specification says. */
export function standardFormat(url: string, secret: string): Format {
  const key = Buffer.from(secret.slice(PREFIX), "base64");
  return {
    url,
    waitMs: () => 0,
    // Each event comes at least once: what to do with it is the receiver's business.
    refuses: () => false,
    headers: {},
    isGone: ({ status }) => status === 410,
    meaningOf: ({ status }) => MEANINGS[status],
    next([entry], _behind, now) {
      if (entry === undefined) throw new RangeError("there is no event to send");
      const { event: type, ...data } = entry.event;
      const body = JSON.stringify({ type, timestamp: isoTime(data.at), data });
      const timestamp = `${Math.floor(now / 1000)}`;
      const signature = createHmac("sha256", key).update(`${entry.id}.${timestamp}.${body}`).digest("base64");
      const headers = {
        "webhook-id": entry.id,
        "webhook-timestamp": timestamp,
        "webhook-signature": `v1,${signature}`,
      };
      return { count: 1, headers, body };
    },
  };
}

// biome-ignore lint/style/noRestrictedGlobals: it writes down a time and asks for none
const isoTime = (at: number): string => new Date(at).toISOString();

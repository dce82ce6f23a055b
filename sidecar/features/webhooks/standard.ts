import { createHmac } from "node:crypto";
import type { FeedEntry } from "../feed/rules/window.ts";
import type { HookResponse } from "./post.ts";
import type { Bisection } from "./rejected-message.ts";

/** A request to send. */
interface Delivery {
  /** how many of the entries it contains, from the first on */
  count: number;
  headers: Record<string, string>;
  body: string;
}

/** Encodes events as requests. */
export interface Format {
  /** the address, with additions of the format */
  url: string;
  /** How long to wait for more events for the same message, in milliseconds. */
  waitMs(first: FeedEntry, now: number): number;
  /**
   * The next request.
   * @param entries at least one, oldest first
   * @param behind whether events are queued since a failed attempt, or since before the start
   * @param now wall time
   * @param bisection if it was permanently rejected
   */
  next(entries: readonly FeedEntry[], behind: boolean, now: number, bisection?: Bisection): Delivery;
  /** headers of every request */
  headers: Record<string, string>;
  /** Whether an answer rejects the message permanently, so that a smaller message may be accepted. */
  refuses(answer: HookResponse): boolean;
  /** Whether an answer says that this address no longer exists. */
  isGone(answer: HookResponse): boolean;
  /** What an answer means, and what to do, if specific to the format. */
  meaningOf(answer: HookResponse): string | undefined;
}

/** Length of the prefix `whsec_` of a secret. */
const PREFIX = "whsec_".length;

const MEANINGS: Readonly<Record<number, string>> = {
  401: "the receiver has another secret, or the address is wrong",
  410: "the receiver accepts no more events, so the webhook is disabled",
};

/** Sends each event in a separate request, signed by the Standard Webhooks specification. */
export function standardFormat(url: string, secret: string): Format {
  const key = Buffer.from(secret.slice(PREFIX), "base64");
  return {
    url,
    waitMs: () => 0,
    // Each event is sent at least once; the receiver decides what to do with it.
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

// biome-ignore lint/style/noRestrictedGlobals: it formats a given time, not the current one
const isoTime = (at: number): string => new Date(at).toISOString();

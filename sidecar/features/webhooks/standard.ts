import { createHmac } from "node:crypto";
import type { Format } from "./format.ts";

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

import { STORED_EVENTS } from "../../shared/public/words.ts";
import { bool, hidden, oneOf, orElse, someOf, text } from "./kind.ts";
import { requestUrl } from "./net-kinds.ts";
import { type Item, listOf } from "./objects.ts";

/** Bytes of a key, as the Standard Webhooks specification has them. */
const [MIN_KEY_BYTES, MAX_KEY_BYTES] = [24, 64];
const SECRET = `whsec_ and base64 of ${MIN_KEY_BYTES} to ${MAX_KEY_BYTES} bytes`;

/** The key in a secret, or undefined when it holds none. */
function keyOf(secret: string): Buffer | undefined {
  const written = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1] ?? "";
  const key = Buffer.from(written, "base64");
  return key.length >= MIN_KEY_BYTES && key.length <= MAX_KEY_BYTES && key.toString("base64") === written
    ? key
    : undefined;
}

/** Whether an address is at Discord. */
export const isDiscord = (url: string): boolean =>
  URL.canParse(url) && /(^|\.)discord(app)?\.com$/.test(new URL(url).hostname);

/** Whether an address of Discord is one of a webhook. */
const isOfWebhook = (url: string): boolean =>
  /^\/api\/(v\d+\/)?webhooks\/\d+\/[\w-]+\/?$/.test(new URL(url).pathname);

const fields = {
  url: requestUrl,
  events: orElse(someOf(...STORED_EVENTS), [...STORED_EVENTS]),
  format: orElse(oneOf("standard", "discord"), "standard"),
  secret: orElse({ ...text(SECRET, value => keyOf(value) !== undefined), display: hidden }, undefined),
  allowPrivate: orElse(bool, false),
};

/** An address that events are sent to. `url` is canonical; `events` are in the order of `STORED_EVENTS`. */
export type Webhook = Item<typeof fields>;

export const webhooks = listOf(fields, {
  max: 50,
  unique: ["url"],
  check: ({ url, format, secret, allowPrivate }) => {
    if (format === "standard" && secret === undefined)
      return { key: "secret", expected: `${SECRET}, or format: discord for an address of Discord` };
    if (format === "discord" && isDiscord(url) && !isOfWebhook(url))
      return {
        key: "url",
        expected: 'what "Copy Webhook URL" gives in Discord: https://discord.com/api/webhooks/<id>/<token>',
      };
    if (url.startsWith("http:") && !allowPrivate)
      return { key: "url", expected: "https://, or allow-private: true for one in your own network" };
    return undefined;
  },
});

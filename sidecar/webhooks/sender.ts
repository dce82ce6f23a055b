import type { Webhook } from "../config/webhooks.ts";
import type { Clock } from "../ports.ts";
import { discordFormat } from "./discord.ts";
import type { Format } from "./format.ts";
import { type Attempt, createPoster, type Poster } from "./post.ts";
import { standardFormat } from "./standard.ts";

/** What sends to one address, in its format. */
interface Sender extends Poster {
  format: Format;
  /** whether several events may go in one message */
  isDiscord: boolean;
  /** How long an answer asks to be left alone, where that is obeyed, in milliseconds. */
  askedMs(attempt: Attempt): number | undefined;
}

/** @param seen gets the beginning of the body of each answer */
export function createSender(
  { url, format: name, secret, allowPrivate }: Webhook,
  clock: Clock,
  seen?: (answer: Buffer) => void,
): Sender {
  const isDiscord = name === "discord" || secret === undefined;
  const format = isDiscord ? discordFormat(url) : standardFormat(url, secret);
  return {
    ...createPoster({ url: format.url, allowPrivate, clock, ...(seen && { seen }) }),
    format,
    isDiscord,
    askedMs: attempt => (isDiscord && "askedMs" in attempt ? attempt.askedMs : undefined),
  };
}

export const isTaken = (attempt: Attempt): boolean =>
  "status" in attempt && attempt.status >= 200 && attempt.status < 300;

export const inWords = (attempt: Attempt): string =>
  "status" in attempt ? `status ${attempt.status}` : attempt.fault;

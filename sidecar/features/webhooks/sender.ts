import type { Webhook } from "../../config/webhooks.ts";
import type { Clock } from "../../platform/clock.ts";
import { discordFormat } from "./discord.ts";
import { type Attempt, createPoster, type Poster } from "./post.ts";
import type { Format } from "./standard.ts";
import { standardFormat } from "./standard.ts";

/** What sends to one address, in its format. */
interface Sender extends Poster {
  format: Format;
  /** whether several events may go in one message */
  isDiscord: boolean;
  /** What an answer means, and what to do, where that is known. */
  meaningOf(attempt: Attempt): string | undefined;
  /** What came of an attempt, with what to do about it where that is known. */
  inWords(attempt: Attempt): string;
}

/** What a status says of an address, whatever the format. */
function meaningOfStatus(status: number): string | undefined {
  if (status >= 300 && status < 400) return "a redirect is not followed: set the address that it leads to";
  return [401, 403, 404].includes(status)
    ? "the address is wrong, or was deleted at the receiver"
    : undefined;
}

/** @param seen gets the beginning of the body of each answer */
export function createSender(
  { url, format: name, secret, allowPrivate }: Webhook,
  clock: Clock,
  seen?: (answer: Buffer) => void,
): Sender {
  const isDiscord = name === "discord" || secret === undefined;
  const format = isDiscord ? discordFormat(url) : standardFormat(url, secret);
  const meaningOf = (attempt: Attempt): string | undefined =>
    "status" in attempt ? (format.meaningOf(attempt) ?? meaningOfStatus(attempt.status)) : undefined;
  return {
    ...createPoster({ url: format.url, headers: format.headers, allowPrivate, clock, ...(seen && { seen }) }),
    format,
    isDiscord,
    meaningOf,
    inWords(attempt) {
      if ("fault" in attempt) return attempt.fault;
      const { status, code } = attempt;
      const meaning = meaningOf(attempt);
      return `status ${status}${code === undefined ? "" : `, code ${code}`}${meaning ? `: ${meaning}` : ""}`;
    },
  };
}

/** How long an answer asks to be left alone, in milliseconds. */
export const askedMs = (attempt: Attempt): number | undefined =>
  "askedMs" in attempt ? attempt.askedMs : undefined;

export const isTaken = (attempt: Attempt): boolean =>
  "status" in attempt && attempt.status >= 200 && attempt.status < 300;

import type { Webhook } from "../../config/webhooks.ts";
import type { Clock } from "../../platform/clock.ts";
import { discordFormat } from "./discord.ts";
import { type Attempt, createPoster, type Poster } from "./post.ts";
import type { Format } from "./standard.ts";
import { standardFormat } from "./standard.ts";

/** Sends to one address, in its format. */
interface Sender extends Poster {
  format: Format;
  /** whether a message may contain several events */
  isDiscord: boolean;
  /** What an answer means, and what to do, if known. */
  meaningOf(attempt: Attempt): string | undefined;
  /** Describes the result of an attempt, with what to do about it, if known. */
  describeAttempt(attempt: Attempt): string;
}

/** What a status says about an address, in any format. */
function meaningOfStatus(status: number): string | undefined {
  if (status >= 300 && status < 400) return "a redirect is not followed: set the address that it leads to";
  return [401, 403, 404].includes(status)
    ? "the address is wrong, or was deleted at the receiver"
    : undefined;
}

/** @param seen receives the start of each answer's body */
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
    describeAttempt(attempt) {
      if ("fault" in attempt) return attempt.fault;
      const { status, code } = attempt;
      const meaning = meaningOf(attempt);
      return `status ${status}${code === undefined ? "" : `, code ${code}`}${meaning ? `: ${meaning}` : ""}`;
    },
  };
}

/** The wait that an answer requests, in milliseconds. */
export const requestedWaitMs = (attempt: Attempt): number | undefined =>
  "waitMs" in attempt ? attempt.waitMs : undefined;

export const isAccepted = (attempt: Attempt): boolean =>
  "status" in attempt && attempt.status >= 200 && attempt.status < 300;

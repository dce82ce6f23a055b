import { type FeedEntry, isWebLine } from "../feed/rules/window.ts";

/** How often a permanently rejected message is tried unchanged. */
const MAX_TRIES = 3;

/** Bisection of a permanently rejected message, to find the entries that cause it. */
export interface Bisection {
  /** most entries of one message */
  max: number;
  /** entries that are left out, and replaced by their number */
  without: "web" | "all";
  /** entries of the rejected message that are still to be sent */
  left: number;
}

/** How often in a row the complete message was permanently rejected, or its bisection. */
export interface RejectedMessage {
  times: number;
  bisection?: Bisection;
}

export const NOT_REJECTED: RejectedMessage = { times: 0 };

/**
 * The state after a permanent rejection: the message is retried unchanged, then without entries from the website, then in halves until
 * one entry is left. That one is replaced by a note: if the note is rejected as well, the entry was not the cause, and nothing is left
 * out.
 * @param message its entries, at least one
 */
export function rejectedAgain(
  { times, bisection }: RejectedMessage,
  message: readonly FeedEntry[],
): RejectedMessage {
  if (bisection !== undefined) return bisect(bisection, message);
  if (times + 1 < MAX_TRIES) return { times: times + 1 };
  const whole: Bisection = { max: message.length, without: "web", left: message.length };
  return message.some(({ event }) => isWebLine(event))
    ? { times: 0, bisection: whole }
    : bisect(whole, message);
}

function bisect(bisection: Bisection, message: readonly FeedEntry[]): RejectedMessage {
  if (message.length > 1)
    return { times: 0, bisection: { ...bisection, max: Math.ceil(message.length / 2) } };
  const isReplaceable = leftOut(bisection, message).web === 0 && bisection.without === "web";
  return isReplaceable ? { times: 0, bisection: { ...bisection, without: "all" } } : NOT_REJECTED;
}

/**
 * The state after a message was accepted.
 * @param count number of its entries
 */
export function afterAccepted({ bisection }: RejectedMessage, count: number): RejectedMessage {
  if (bisection === undefined || bisection.without === "all" || count >= bisection.left) return NOT_REJECTED;
  return { times: 0, bisection: { ...bisection, left: bisection.left - count } };
}

/** How many entries of a message are left out, by origin. */
export function leftOut(
  bisection: Bisection | undefined,
  message: readonly FeedEntry[],
): { web: number; game: number } {
  const web = message.filter(({ event }) => isWebLine(event)).length;
  if (bisection === undefined) return { web: 0, game: 0 };
  return { web, game: bisection.without === "all" ? message.length - web : 0 };
}

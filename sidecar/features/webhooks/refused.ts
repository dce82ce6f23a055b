import { type FeedEntry, isWebLine } from "../feed/rules/window.ts";

/** How often a message is tried as it is though it was permanently rejected. */
const TRIES = 3;

/** How messages are made while something in them is permanently rejected. */
export interface Cut {
  /** entries that one tells of, at most */
  most: number;
  /** what is left out of it, and counted in its place */
  without: "web" | "all";
  /** entries of the message that was refused as a whole which are still to go */
  left: number;
}

/** How often in a row a message was permanently rejected as a whole, or how it is cut since. */
export interface RejectedMessage {
  times: number;
  cut?: Cut;
}

export const NOT_REFUSED: RejectedMessage = { times: 0 };

/**
 * What follows when a message is permanently rejected: it is tried again as it is, then without what was written on the web, then
 * in halves, until one line is left. In its place goes what says that it is missing: where that is refused as well, it was not
 * for the line, and nothing is left out.
 * @param message the entries that it told of, at least one
 */
export function refusedAgain(
  { times, cut }: RejectedMessage,
  message: readonly FeedEntry[],
): RejectedMessage {
  if (cut !== undefined) return narrower(cut, message);
  if (times + 1 < TRIES) return { times: times + 1 };
  const whole: Cut = { most: message.length, without: "web", left: message.length };
  return message.some(({ event }) => isWebLine(event)) ? { times: 0, cut: whole } : narrower(whole, message);
}

function narrower(cut: Cut, message: readonly FeedEntry[]): RejectedMessage {
  if (message.length > 1) return { times: 0, cut: { ...cut, most: Math.ceil(message.length / 2) } };
  const isTold = leftOut(cut, message).web === 0 && cut.without === "web";
  return isTold ? { times: 0, cut: { ...cut, without: "all" } } : NOT_REFUSED;
}

/**
 * What follows when a message is taken.
 * @param count number of entries that it told of
 */
export function takenOf({ cut }: RejectedMessage, count: number): RejectedMessage {
  if (cut === undefined || cut.without === "all" || count >= cut.left) return NOT_REFUSED;
  return { times: 0, cut: { ...cut, left: cut.left - count } };
}

/** How many entries of a message are left out of it, by who has written them. */
export function leftOut(cut: Cut | undefined, message: readonly FeedEntry[]): { web: number; game: number } {
  const web = message.filter(({ event }) => isWebLine(event)).length;
  if (cut === undefined) return { web: 0, game: 0 };
  return { web, game: cut.without === "all" ? message.length - web : 0 };
}

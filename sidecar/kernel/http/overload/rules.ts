// What one address or one connection may have of the service, and when an address is shut out. Rates say how often something may
// happen, and the settings mostly how many there may be.

/** How many there are already: in all and of one address. */
interface Present {
  all: number;
  ofAddress: number;
}

/** How many there may be. */
export interface Places {
  most: number;
  mostPerAddress: number;
}

/** An address has few of them with so many, or with this part of all that there may be. */
const FEW = 8;
const FEW_PART = 1 / 50;

/**
 * Whether there is a place for one more: `none` for its address, `full` for nobody. The last quarter is for addresses that have
 * few, unless one address may have all.
 */
export function placeFor(present: Present, places: Places): "free" | "none" | "full" {
  const { all, ofAddress } = present;
  const { most, mostPerAddress } = places;
  if (ofAddress >= mostPerAddress) return "none";
  const hasFew = mostPerAddress >= most || ofAddress < Math.max(FEW, most * FEW_PART);
  if (all >= most * 0.75 && !hasFew) return "none";
  return all >= most ? "full" : "free";
}

/** Whether a client that has left bytes unread leaves too many with so many more, where `most` may wait. */
export const leavesTooMuch = (unreadBytes: number, moreBytes: number, most: number): boolean =>
  unreadBytes > 0 && unreadBytes + moreBytes > most;

/** Requests of one connection that may wait for their answers. Honest clients send a few ahead at most. */
export const MOST_AHEAD = 32;

/** Most bytes of answers that may wait to be read: on one connection, for one address, and in all. */
export const MOST_UNSENT = { connection: 2 * 1024 * 1024, address: 16 * 1024 * 1024, all: 96 * 1024 * 1024 };

/** Bytes of a body that are read behind an answer: of a larger one, or one whose length is not told, nothing is. */
export const MOST_BEHIND = 1024 * 1024;

/** Pieces that a body may come in: clients write more than a byte into each. */
export const MOST_PIECES = 256;

/** Chat messages of one socket that may be refused within `WITHIN_MS` before it is closed. */
const MOST_REFUSED = 100;

/** Refusals of an address within `WITHIN_MS` that are borne; each further one shuts it out. */
const MOST_STRIKES = 100;
const WITHIN_MS = 10_000;

/** How long an address is shut out: at first, and at most, in milliseconds. It doubles each time. */
const FIRST_MS = 10_000;
const LONGEST_MS = 60_000;

/** How long after that an address counts as one that was never shut out, in milliseconds. */
const FORGIVEN_MS = 300_000;

/** The refusals of an address: how many since when, how long it was shut out last, and until when. Times of the monotonic clock. */
export interface Strikes {
  count: number;
  since: number;
  lastMs: number;
  until: number;
}

export const noStrikes = (now: number): Strikes => ({ count: 0, since: now, lastMs: 0, until: -Infinity });

/** Seconds for which the address is shut out yet, or 0. */
export const secondsLeft = ({ until }: Strikes, now: number): number =>
  Math.max(0, Math.ceil((until - now) / 1_000));

/** Counts refusals; true where they shut the address out. While it is shut out nothing is counted. */
export function addStrikes(strikes: Strikes, now: number, more = 1): boolean {
  if (now < strikes.until) return false;
  if (now - strikes.since >= WITHIN_MS) Object.assign(strikes, { count: 0, since: now });
  strikes.count += more;
  if (strikes.count <= MOST_STRIKES) return false;
  const isAgain = now - strikes.until < FORGIVEN_MS;
  strikes.lastMs = isAgain ? Math.min(2 * strikes.lastMs, LONGEST_MS) : FIRST_MS;
  strikes.until = now + strikes.lastMs;
  strikes.count = 0;
  strikes.since = strikes.until;
  return true;
}

/**
 * Adds a refusal to those of a socket, which are times of the monotonic clock, and forgets those of long ago; true where there were
 * so many lately that the socket is closed.
 */
export function addRefusal(refusedAt: number[], now: number): boolean {
  while ((refusedAt[0] ?? now) <= now - WITHIN_MS) refusedAt.shift();
  return refusedAt.push(now) >= MOST_REFUSED;
}

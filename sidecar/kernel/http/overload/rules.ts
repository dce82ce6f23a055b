// Limits of one address or one connection, and when an address is blocked. Rates and most counts are settings.

/** Clients that are connected: in all and of one address. */
interface Present {
  all: number;
  ofAddress: number;
}

/** Most clients: in all and of one address. */
export interface Places {
  most: number;
  mostPerAddress: number;
}

/** An address has few clients with so many, or with this part of the limit. */
const FEW = 8;
const FEW_PART = 1 / 50;

/**
 * Whether one more may connect: `none` for this address, `full` for nobody. The last quarter is for addresses with few, unless one
 * address may have all.
 */
export function placeFor(present: Present, places: Places): "free" | "none" | "full" {
  const { all, ofAddress } = present;
  const { most, mostPerAddress } = places;
  if (ofAddress >= mostPerAddress) return "none";
  const hasFew = mostPerAddress >= most || ofAddress < Math.max(FEW, most * FEW_PART);
  if (all >= most * 0.75 && !hasFew) return "none";
  return all >= most ? "full" : "free";
}

/** Whether a client with unread bytes would have more than `most` of them with these. */
export const leavesTooMuch = (unreadBytes: number, moreBytes: number, most: number): boolean =>
  unreadBytes > 0 && unreadBytes + moreBytes > most;

/** Requests that may be pipelined on one connection. Honest clients send a few ahead. */
export const MOST_AHEAD = 32;

/** Most bytes of answers that may wait to be read: on one connection, for one address, and in all. */
export const MOST_UNSENT = { connection: 2 * 1024 * 1024, address: 16 * 1024 * 1024, all: 96 * 1024 * 1024 };

/** Bytes of a body that are read after its answer; a larger one, or one without a length, ends the connection. */
export const MOST_BEHIND = 1024 * 1024;

/** Chunks that a body may come in: clients write more than a byte into each. */
export const MOST_PIECES = 256;

/** Chat messages of one socket that may be refused within `WITHIN_MS` before it is closed. */
const MOST_REFUSED = 100;

/** Refusals of an address within `WITHIN_MS`; the next one blocks it. */
const MOST_STRIKES = 100;
const WITHIN_MS = 10_000;

/** How long an address is blocked: at first, and at most, in milliseconds. It doubles each time. */
const FIRST_MS = 10_000;
const LONGEST_MS = 60_000;

/** How long after a block an address counts as never blocked, in milliseconds. */
const FORGIVEN_MS = 300_000;

/** Refusals of an address: how many since when, and its last block and the end of that, by the monotonic clock. */
export interface Strikes {
  count: number;
  since: number;
  lastMs: number;
  until: number;
}

export const noStrikes = (now: number): Strikes => ({ count: 0, since: now, lastMs: 0, until: -Infinity });

/** Seconds for which the address is still blocked, or 0. */
export const secondsLeft = ({ until }: Strikes, now: number): number =>
  Math.max(0, Math.ceil((until - now) / 1_000));

/** Counts refusals; true: they block the address. While it is blocked nothing is counted. */
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

/** Adds a refused message to those of a socket, as monotonic times, and drops old ones; true: the socket has to be closed. */
export function addRefusal(refusedAt: number[], now: number): boolean {
  while ((refusedAt[0] ?? now) <= now - WITHIN_MS) refusedAt.shift();
  return refusedAt.push(now) >= MOST_REFUSED;
}

// Limits of one address or one connection, and when an address is blocked. Rates and most counts are settings.

/** Clients that are connected: in all and of one address. */
interface Present {
  all: number;
  ofAddress: number;
}

/** Most clients: in all and of one address. */
export interface ClientLimits {
  most: number;
  mostPerAddress: number;
}

/** An address has few clients with at most this many, or this part of the limit. */
const FEW = 8;
const FEW_PART = 1 / 50;

/**
 * Whether one more can connect: `none` for this address, `full` for any. The last quarter is for addresses with few clients, unless
 * one address may have all.
 */
export function checkLimits(present: Present, places: ClientLimits): "free" | "none" | "full" {
  const { all, ofAddress } = present;
  const { most, mostPerAddress } = places;
  if (ofAddress >= mostPerAddress) return "none";
  const hasFew = mostPerAddress >= most || ofAddress < Math.max(FEW, most * FEW_PART);
  if (all >= most * 0.75 && !hasFew) return "none";
  return all >= most ? "full" : "free";
}

/** Whether a client with unread bytes would exceed `most` with these. */
export const exceedsBuffer = (unreadBytes: number, moreBytes: number, most: number): boolean =>
  unreadBytes > 0 && unreadBytes + moreBytes > most;

/** Requests that can be pipelined on one connection. Honest clients send a few ahead. */
export const MAX_PIPELINED = 32;

/** Most unread bytes of responses: on one connection, for one address, and in total. */
export const MAX_UNSENT = { connection: 2 * 1024 * 1024, address: 16 * 1024 * 1024, all: 96 * 1024 * 1024 };

/** Bytes of a body that are read after its response; a larger one, or one without a length, closes the connection. */
export const MAX_BODY_AFTER_ANSWER = 1024 * 1024;

/** Most chunks of a body: clients write more than a byte into each. */
export const MAX_CHUNKS = 256;

/** Chat messages of one socket that can be rejected within `WITHIN_MS` before it is closed. */
const MAX_REFUSED_MESSAGES = 100;

/** Refusals of an address within `WITHIN_MS`; the next one blocks it. */
const MAX_REFUSALS = 100;
const WITHIN_MS = 10_000;

/** How long an address is blocked: at first, and at most, in milliseconds. It doubles each time. */
const FIRST_BLOCK_MS = 10_000;
const MAX_BLOCK_MS = 60_000;

/** How long after a block an address counts as never blocked, in milliseconds. */
const FORGIVEN_MS = 300_000;

/** Refusals of an address: count and start of the interval, and its last block and the end of that, by the monotonic clock. */
export interface RefusalCount {
  count: number;
  since: number;
  lastMs: number;
  until: number;
}

export const noRefusals = (now: number): RefusalCount => ({
  count: 0,
  since: now,
  lastMs: 0,
  until: -Infinity,
});

/** Seconds for which the address is still blocked, or 0. */
export const secondsLeft = ({ until }: RefusalCount, now: number): number =>
  Math.max(0, Math.ceil((until - now) / 1_000));

/** Counts refusals; true: they block the address. Nothing is counted while it is blocked. */
export function addRefusals(refusals: RefusalCount, now: number, more = 1): boolean {
  if (now < refusals.until) return false;
  if (now - refusals.since >= WITHIN_MS) Object.assign(refusals, { count: 0, since: now });
  refusals.count += more;
  if (refusals.count <= MAX_REFUSALS) return false;
  const isAgain = now - refusals.until < FORGIVEN_MS;
  refusals.lastMs = isAgain ? Math.min(2 * refusals.lastMs, MAX_BLOCK_MS) : FIRST_BLOCK_MS;
  refusals.until = now + refusals.lastMs;
  refusals.count = 0;
  refusals.since = refusals.until;
  return true;
}

/** Adds a rejected message to those of a socket, as monotonic times, and drops old ones; true: the socket must be closed. */
export function addRefusedMessage(refusedAt: number[], now: number): boolean {
  while ((refusedAt[0] ?? now) <= now - WITHIN_MS) refusedAt.shift();
  return refusedAt.push(now) >= MAX_REFUSED_MESSAGES;
}
/** Sums by address; sums of 0 are removed. */
export function createCounts() {
  const sums = new Map<string, number>();
  return {
    of: (address: string): number => sums.get(address) ?? 0,
    add(address: string, amount = 1): void {
      const sum = (sums.get(address) ?? 0) + amount;
      if (sum > 0) sums.set(address, sum);
      else sums.delete(address);
    },
    /** The address with the largest sum, if any. */
    largest: (): string | undefined =>
      [...sums].reduce<[string | undefined, number]>(
        (one, other) => (other[1] > one[1] ? other : one),
        [undefined, 0],
      )[0],
  };
}

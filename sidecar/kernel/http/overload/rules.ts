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

/** An address has few clients with so many, or with this part of the limit. */
const FEW = 8;
const FEW_PART = 1 / 50;

/**
 * Whether one more may connect: `none` for this address, `full` for nobody. The last quarter is for addresses with few, unless one
 * address may have all.
 */
export function checkLimits(present: Present, places: ClientLimits): "free" | "none" | "full" {
  const { all, ofAddress } = present;
  const { most, mostPerAddress } = places;
  if (ofAddress >= mostPerAddress) return "none";
  const hasFew = mostPerAddress >= most || ofAddress < Math.max(FEW, most * FEW_PART);
  if (all >= most * 0.75 && !hasFew) return "none";
  return all >= most ? "full" : "free";
}

/** Whether a client with unread bytes would have more than `most` of them with these. */
export const exceedsBuffer = (unreadBytes: number, moreBytes: number, most: number): boolean =>
  unreadBytes > 0 && unreadBytes + moreBytes > most;

/** Requests that may be pipelined on one connection. Honest clients send a few ahead. */
export const MAX_PIPELINED = 32;

/** Most bytes of answers that may wait to be read: on one connection, for one address, and in all. */
export const MAX_UNSENT = { connection: 2 * 1024 * 1024, address: 16 * 1024 * 1024, all: 96 * 1024 * 1024 };

/** Bytes of a body that are read after its answer; a larger one, or one without a length, ends the connection. */
export const MAX_BODY_AFTER_ANSWER = 1024 * 1024;

/** Chunks that a body may come in: clients write more than a byte into each. */
export const MAX_CHUNKS = 256;

/** Chat messages of one socket that may be refused within `WITHIN_MS` before it is closed. */
const MAX_REFUSED_MESSAGES = 100;

/** Refusals of an address within `WITHIN_MS`; the next one blocks it. */
const MAX_REFUSALS = 100;
const WITHIN_MS = 10_000;

/** How long an address is blocked: at first, and at most, in milliseconds. It doubles each time. */
const FIRST_BLOCK_MS = 10_000;
const LONGEST_BLOCK_MS = 60_000;

/** How long after a block an address counts as never blocked, in milliseconds. */
const FORGIVEN_MS = 300_000;

/** Refusals of an address: how many since when, and its last block and the end of that, by the monotonic clock. */
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

/** Counts refusals; true: they block the address. While it is blocked nothing is counted. */
export function addRefusals(refusals: RefusalCount, now: number, more = 1): boolean {
  if (now < refusals.until) return false;
  if (now - refusals.since >= WITHIN_MS) Object.assign(refusals, { count: 0, since: now });
  refusals.count += more;
  if (refusals.count <= MAX_REFUSALS) return false;
  const isAgain = now - refusals.until < FORGIVEN_MS;
  refusals.lastMs = isAgain ? Math.min(2 * refusals.lastMs, LONGEST_BLOCK_MS) : FIRST_BLOCK_MS;
  refusals.until = now + refusals.lastMs;
  refusals.count = 0;
  refusals.since = refusals.until;
  return true;
}

/** Adds a refused message to those of a socket, as monotonic times, and drops old ones; true: the socket has to be closed. */
export function addRefusedMessage(refusedAt: number[], now: number): boolean {
  while ((refusedAt[0] ?? now) <= now - WITHIN_MS) refusedAt.shift();
  return refusedAt.push(now) >= MAX_REFUSED_MESSAGES;
}
/** Sums by address, without those that are 0. */
export function createCounts() {
  const sums = new Map<string, number>();
  return {
    of: (address: string): number => sums.get(address) ?? 0,
    add(address: string, amount = 1): void {
      const sum = (sums.get(address) ?? 0) + amount;
      if (sum > 0) sums.set(address, sum);
      else sums.delete(address);
    },
    /** The address with the largest sum, if there is any. */
    largest: (): string | undefined =>
      [...sums].reduce<[string | undefined, number]>(
        (one, other) => (other[1] > one[1] ? other : one),
        [undefined, 0],
      )[0],
  };
}

import type { IncomingMessage } from "node:http";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { perMinute } from "../../platform/rate.ts";
import { pathForLog, printable, throttledLog } from "../../platform/throttled-log.ts";
import type { RejectedMessages } from "../storage/ports.ts";
import { clientAddress, type Trust } from "./client-address.ts";
import { comparedWith, ownHost } from "./origin.ts";
import { requestIdOf } from "./request-id.ts";

/** A limit that clients can reach; `refusals`: a socket was closed after too many rejected messages. Features add their own. */
export type Limit = "socket" | "address" | "everybody" | "refusals" | `link-${string}` | `sign-in-${string}`;

/** Limits that can reject a chat message. */
const OF_LINES: readonly Limit[] = ["socket", "address", "everybody"];

const isOfLines = (limit: Limit): boolean => OF_LINES.includes(limit);

/** Addresses that are counted separately; the others are counted together. */
const MAX_ADDRESSES = 10_000;

interface RefusedAddress {
  address: string;
  refused: number;
  limits: Partial<Record<Limit, number>>;
}

/** Refusals by address, over some time. */
interface Tally {
  sources: Map<string, RefusedAddress>;
  /** refusals of the other addresses */
  unnamed: number;
}

const emptyTally = (): Tally => ({ sources: new Map(), unnamed: 0 });

export function count(tally: Tally, limit: Limit, address: string): void {
  const known = tally.sources.get(address);
  if (!known && tally.sources.size >= MAX_ADDRESSES) {
    tally.unnamed++;
    return;
  }
  const source = known ?? { address, refused: 0, limits: {} };
  if (!known) tally.sources.set(address, source);
  source.refused++;
  source.limits[limit] = (source.limits[limit] ?? 0) + 1;
}

/** Rejected messages in the parts of the last minute, by address. */
type Recent = { number: number; lines: number; from: Map<string, number> }[];

/** Number of parts of the last minute, and the length of one, in milliseconds. */
const PARTS = 12;
const PART_MS = 60_000 / PARTS;
/** Addresses in a part; beyond it those with most messages stay. */
const MAX_IN_PART = 200;

const partAt = (now: number): number => Math.floor(now / PART_MS);

/** Adds a rejected message at monotonic time `now`. */
function countLine(recent: Recent, address: string, now: number): void {
  const number = partAt(now);
  let part = recent[number % PARTS];
  if (part?.number !== number) {
    part = { number, lines: 0, from: new Map() };
    recent[number % PARTS] = part;
  }
  part.lines++;
  const { from } = part;
  if (!from.has(address) && from.size >= MAX_IN_PART)
    for (const [other, lines] of from)
      if (lines > 1) from.set(other, lines - 1);
      else from.delete(other);
  if (from.has(address) || from.size < MAX_IN_PART) from.set(address, (from.get(address) ?? 0) + 1);
}

/** Number of messages rejected in the minute before monotonic time `now`, and the address of most; undefined for none. */
export function lastMinute(recent: Recent, now: number): { lines: number; from: string } | undefined {
  const sums = new Map<string, number>();
  let [lines, from] = [0, ""];
  for (const part of recent.filter(({ number }) => number > partAt(now) - PARTS)) {
    lines += part.lines;
    for (const [address, count] of part.from) {
      const sum = (sums.get(address) ?? 0) + count;
      sums.set(address, sum);
      if (sum > (sums.get(from) ?? 0)) from = address;
    }
  }
  return lines > 0 ? { lines, from } : undefined;
}

/**
 * The counts in at most `lines` lines: the addresses with most refusals, and the others together, prefixed by `atLeast` if not all
 * were counted separately.
 */
export function summary(
  { sources, unnamed }: Tally,
  lines: number,
): { named: RefusedAddress[]; others: { addresses: number; refused: number; atLeast: boolean } | undefined } {
  const sorted = [...sources.values()].sort((a, b) => b.refused - a.refused);
  const atLeast = unnamed > 0;
  if (sorted.length <= lines && !atLeast) return { named: sorted, others: undefined };
  const named = sorted.slice(0, lines - 1);
  const rest = sorted.slice(lines - 1);
  const refused = rest.reduce((sum, source) => sum + source.refused, unnamed);
  return { named, others: { addresses: rest.length, refused, atLeast } };
}

/** Log lines a minute about clients that reach limits. */
const LOG_LINES = 10;
const MINUTE_MS = 60_000;
/** Wait before the first lines after a quiet time, so that they count more than one refusal, in milliseconds. */
const FIRST_MS = 5_000;

/** How often this process reports its refusals to the others, in milliseconds. */
const REPORT_MS = 1_000;

/** Clients that reach the limits of chat and link requests: logged, and counted for operators. */
export interface Refusals {
  stop(): void;
  /** Counts a client that reached a limit; `address` as in `addressKey`. */
  count(limit: Limit, address: string): void;
  /** Number of chat messages rejected in the last minute, and the address of most; undefined for none. */
  lastMinute(): { lines: number; from: string } | undefined;
}

export function createRefusals(deps: {
  clock: Clock;
  log: Log;
  shared: RejectedMessages;
  counted(limit: Limit): void;
}): Refusals {
  const { clock, log, shared, counted } = deps;
  let tally = emptyTally();
  let loggedAt = Number.NEGATIVE_INFINITY;
  let isWaiting = false;
  const recent: Recent = [];

  function logSummary(): void {
    isWaiting = false;
    loggedAt = clock.monotonic();
    const { named, others } = summary(tally, LOG_LINES);
    tally = emptyTally();
    for (const { address, refused, limits } of named)
      log.warn({ address, refused, limits }, "Rejected requests over the limits");
    if (others) log.warn(others, "Rejected requests over the limits from other addresses too");
  }

  /** of this process only */
  const own = () => lastMinute(recent, clock.monotonic());
  const stop = clock.every(REPORT_MS, () => shared.publish(own()));

  return {
    stop,
    count(limit, address) {
      counted(limit);
      count(tally, limit, address);
      if (isOfLines(limit)) countLine(recent, address, clock.monotonic());
      if (isWaiting) return;
      isWaiting = true;
      clock.after(Math.max(FIRST_MS, loggedAt + MINUTE_MS - clock.monotonic()), logSummary);
    },
    lastMinute() {
      const all = [own() ?? [], ...shared.others()].flat().sort((a, b) => b.lines - a.lines);
      const [most] = all;
      return most && { from: most.from, lines: all.reduce((sum, { lines }) => sum + lines, 0) };
    },
  };
}

type RefusalCode = "host_not_allowed" | "origin_not_allowed";

/** Logs a request that is rejected because of its host or its origin, with the values it was compared with. */
export type RefusedRequestLog = (req: IncomingMessage, code: RefusalCode) => void;
export function createRefusedRequestLog(
  { clock, log, ownerLog }: { clock: Clock; log: Log; ownerLog: Log },
  trust: Trust,
): RefusedRequestLog {
  const rarely = throttledLog(ownerLog, clock, perMinute(1));
  return (req, code) => {
    const requestId = requestIdOf(req);
    if (code === "host_not_allowed") {
      const fields = {
        requestId,
        host: printable(ownHost(req, trust)),
        address: printable(clientAddress(req, trust)),
      };
      rarely.warn(fields, "Rejected a request for a host that is not in modules.api.hosts");
      return;
    }
    const fields = {
      requestId,
      origin: printable(req.headers.origin),
      own: printable(comparedWith(req, trust)),
    };
    log.warn({ ...fields, path: pathForLog(req.url) }, "Rejected a request of an origin that is not listed");
  };
}

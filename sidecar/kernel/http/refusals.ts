import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { RefusedLines } from "../storage/ports/shared.ts";
import {
  count,
  countLine,
  emptyTally,
  isOfLines,
  type Limit,
  lastMinute,
  type Recent,
  summary,
} from "./tally.ts";

/** Lines of the log about clients that reach limits, each minute. */
const LOG_LINES = 10;
const MINUTE_MS = 60_000;
/** Wait before the first lines after a quiet time, so that they count more than one refusal, in milliseconds. */
const FIRST_MS = 5_000;

/** How often this process reports its refusals to the others, in milliseconds. */
const REPORT_MS = 1_000;

/** Clients that reach the limits of chat and of link requests: named in the log, and counted for operators. */
export interface Refusals {
  stop(): void;
  /** Counts a client that reached a limit; `address` as in `addressKey`. */
  count(limit: Limit, address: string): void;
  /** How many lines of chat were refused in the last minute, and the address of most; undefined for none. */
  lastMinute(): { lines: number; from: string } | undefined;
}

export function createRefusals(deps: {
  clock: Clock;
  log: Log;
  shared: RefusedLines;
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
      log.warn({ address, refused, limits }, "refused what is over the limits");
    if (others) log.warn(others, "refused what is over the limits from other addresses too");
  }

  /** of this process alone */
  const own = () => lastMinute(recent, clock.monotonic());
  const stop = clock.every(REPORT_MS, () => shared.tell(own()));

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

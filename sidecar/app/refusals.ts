import { count, emptyTally, isOfLines, type Limit, summary } from "../domain/tally.ts";
import type { Clock, Log } from "../ports.ts";

/** Lines of the log about all who reach limits, each minute. */
const LOG_LINES = 10;
const MINUTE_MS = 60_000;
/** Wait before the first lines after a quiet time, so that they count more than one refusal, in milliseconds. */
const FIRST_MS = 5_000;
/** Parts that the last minute is counted in. */
const SLOTS = 12;

export type Refusals = ReturnType<typeof createRefusals>;

/** Who reaches the limits of chat and of link requests: named in the log, counted for operators and for `counted`. */
export function createRefusals(deps: { clock: Clock; log: Log; counted(limit: Limit): void }) {
  const { clock, log, counted } = deps;
  let tally = emptyTally();
  /** what was told last, at `toldAt` */
  let told = emptyTally();
  let toldAt = Number.NEGATIVE_INFINITY;
  let isWaiting = false;
  const slots = Array.from({ length: SLOTS }, () => ({ number: 0, lines: 0 }));
  const slotNumber = (): number => Math.floor(clock.monotonic() / (MINUTE_MS / SLOTS));

  function tell(): void {
    isWaiting = false;
    toldAt = clock.monotonic();
    told = tally;
    tally = emptyTally();
    const { named, others } = summary(told, LOG_LINES);
    for (const { address, refused, limits } of named)
      log.warn({ address, refused, limits }, "refused what is over the limits");
    if (others) log.warn(others, "refused what is over the limits from other addresses too");
  }

  function countLine(): void {
    const number = slotNumber();
    const slot = slots[number % SLOTS];
    if (slot === undefined) return;
    if (slot.number !== number) Object.assign(slot, { number, lines: 0 });
    slot.lines++;
  }

  return {
    /** Somebody reached a limit; `address` as limits are counted by it. */
    noted(limit: Limit, address: string): void {
      counted(limit);
      count(tally, limit, address);
      if (isOfLines(limit)) countLine();
      if (isWaiting) return;
      isWaiting = true;
      clock.after(Math.max(FIRST_MS, toldAt + MINUTE_MS - clock.monotonic()), tell);
    },
    /** How many lines of chat were refused in the last minute, and the address of most; undefined for none. */
    lastMinute(): { lines: number; from: string } | undefined {
      const now = slotNumber();
      const lines = slots.reduce((sum, slot) => sum + (slot.number > now - SLOTS ? slot.lines : 0), 0);
      const before = clock.monotonic() - toldAt <= MINUTE_MS ? told.most : undefined;
      const most = (tally.most?.lines ?? 0) >= (before?.lines ?? 0) ? tally.most : before;
      return lines > 0 && most ? { lines, from: most.address } : undefined;
    },
  };
}

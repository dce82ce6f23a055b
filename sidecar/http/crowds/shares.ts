import { BARRED_MS, isCalm, shareOf } from "../../domain/crowds.ts";
import type { Clock } from "../../ports.ts";

/** Addresses that are remembered as barred; past it the one that has been longest is let in again. */
const MAX_BARRED = 20_000;

/**
 * When each request has its turn, counted by address from turn to turn of the event loop. Who asks, and has asked in it, is looked
 * at only when a turn has become long, or has more than one address may have. Who is over is barred for a while.
 * @param waitingOf how many of an address wait for their turn already
 */
export function createShares<R>(
  { monotonic: now, soon }: Pick<Clock, "monotonic" | "soon">,
  addressOf: (req: R) => string,
  waitingOf: (address: string) => number,
) {
  /** asked before it is looked at who asks */
  let calm: R[] = [];
  const asked = new Map<string, { inTurn: number; inTheRest: number }>();
  const barredUntil = new Map<string, number>();
  let all = 0;
  let begun = 0;
  const begin = (): void => {
    all = 0;
    calm = [];
    asked.clear();
  };

  function askedBy(address: string): { inTurn: number; inTheRest: number } {
    const known = asked.get(address);
    if (known !== undefined) return known;
    const none = { inTurn: 0, inTheRest: 0 };
    asked.set(address, none);
    return none;
  }

  function bar(address: string): void {
    barredUntil.delete(address);
    barredUntil.set(address, now() + BARRED_MS);
    const [longest] = barredUntil.keys();
    if (barredUntil.size > MAX_BARRED && longest !== undefined) barredUntil.delete(longest);
  }

  /** How long an address is not dealt with, in milliseconds. */
  function barredMs(address: string): number {
    const left = (barredUntil.get(address) ?? Number.NEGATIVE_INFINITY) - now();
    if (left > 0) return left;
    barredUntil.delete(address);
    return 0;
  }

  return {
    take(req: R): ReturnType<typeof shareOf> {
      // The way that most requests take is the shortest.
      if (barredUntil.size > 0 && barredMs(addressOf(req)) > 0) return "over";
      const at = now();
      if (all++ === 0) {
        soon(begin);
        begun = at;
      }
      const turnMs = at - begun;
      if (isCalm(turnMs, all)) {
        calm.push(req);
        return "now";
      }
      if (calm.length > 0) {
        for (const one of calm) askedBy(addressOf(one)).inTurn++;
        calm = [];
      }
      const address = addressOf(req);
      const counts = askedBy(address);
      const share = shareOf(turnMs, ++counts.inTurn, ++counts.inTheRest, waitingOf(address));
      if (share === "over") bar(address);
      return share;
    },
    bar,
    barredMs,
  };
}

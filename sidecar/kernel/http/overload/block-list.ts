import type { Clock } from "../../../platform/clock.ts";
import { addStrikes, noStrikes, type Strikes, secondsLeft } from "./rules.ts";

/** Addresses of which refusals are remembered; past it, the one without any for longest is forgotten. */
const MOST_ADDRESSES = 20_000;

export type BlockList = ReturnType<typeof createBlockList>;

/**
 * The addresses that are shut out since they were refused too often.
 * @param shutOut is told of each address as it is shut out, and for how many milliseconds
 */
export function createBlockList(
  { monotonic: now }: Pick<Clock, "monotonic">,
  shutOut: (address: string, forMs: number) => void,
) {
  const known = new Map<string, Strikes>();
  return {
    /** Seconds for which an address is shut out yet, or 0. */
    secondsLeft(address: string): number {
      const strikes = known.get(address);
      return strikes === undefined ? 0 : secondsLeft(strikes, now());
    },
    /** Counts something that an address was refused, or `weight` times as much. */
    strike(address: string, weight = 1): void {
      const strikes = known.get(address) ?? noStrikes(now());
      known.delete(address);
      known.set(address, strikes);
      const [longest] = known.size > MOST_ADDRESSES ? known.keys() : [];
      if (longest !== undefined) known.delete(longest);
      if (addStrikes(strikes, now(), weight)) shutOut(address, strikes.lastMs);
    },
  };
}

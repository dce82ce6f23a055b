import type { Clock } from "../../../platform/clock.ts";
import { addStrikes, noStrikes, type Strikes, secondsLeft } from "./rules.ts";

/** Addresses whose refusals are remembered; past it, the one refused longest ago is forgotten. */
const MOST_ADDRESSES = 20_000;

/**
 * The addresses that are blocked because they were refused too often.
 * @param shutOut called with each address as it is blocked, and for how many milliseconds
 */
export function createBlockList(
  { monotonic: now }: Pick<Clock, "monotonic">,
  shutOut: (address: string, forMs: number) => void,
) {
  const known = new Map<string, Strikes>();
  return {
    /** Seconds for which an address is still blocked, or 0. */
    secondsLeft(address: string): number {
      const strikes = known.get(address);
      return strikes === undefined ? 0 : secondsLeft(strikes, now());
    },
    /** Counts a refusal of an address, or `weight` of them. */
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

import { dropOldest } from "../../../../shared/drop-oldest.ts";
import type { Clock } from "../../../platform/clock.ts";
import { addRefusals, noRefusals, type RefusalCount, secondsLeft } from "./rules.ts";

/** Most addresses with recent refusals; beyond it, the one refused longest ago is dropped. */
const MAX_ADDRESSES = 20_000;

/**
 * The addresses that are blocked because of too many refusals.
 * @param onBlocked called with each newly blocked address, and the milliseconds
 */
export function createBlockList(
  { monotonic: now }: Pick<Clock, "monotonic">,
  onBlocked: (address: string, forMs: number) => void,
) {
  const known = new Map<string, RefusalCount>();
  return {
    /** Seconds for which an address is still blocked, or 0. */
    secondsLeft(address: string): number {
      const refusals = known.get(address);
      return refusals === undefined ? 0 : secondsLeft(refusals, now());
    },
    /** Counts a refusal of an address, or `weight` of them. */
    countRefusal(address: string, weight = 1): void {
      const refusals = known.get(address) ?? noRefusals(now());
      known.delete(address);
      known.set(address, refusals);
      dropOldest(known, MAX_ADDRESSES);
      if (addRefusals(refusals, now(), weight)) onBlocked(address, refusals.lastMs);
    },
  };
}

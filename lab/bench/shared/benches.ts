import type { Bench } from "../bench.ts";
import { sharedArrivals } from "./arrivals.ts";
import { sharedCommands } from "./commands.ts";
import { sharedDelays } from "./delay.ts";
import { sharedFanOut } from "./fan-out.ts";
import { sharedMemory } from "./memory.ts";

/** What is measured for several sidecars. */
export function sharedBenches(counts: readonly number[]): Bench[] {
  const most = Math.max(...counts);
  return [
    ...counts.map(sharedFanOut),
    sharedArrivals,
    ...sharedDelays,
    sharedCommands(most),
    ...sharedMemory,
  ];
}

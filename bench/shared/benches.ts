import type { Bench } from "../bench.ts";
import { sharedArrivals } from "./arrivals.ts";
import { sharedCommands } from "./commands.ts";
import { sharedDelays } from "./delay.ts";
import { sharedFanOut } from "./fan-out.ts";
import { sharedMemory } from "./memory.ts";

const MOST = 8;

/** The numbers of sidecars in an argument such as `1,2,4`, rising. @throws what is wrong with it */
export function readCounts(text: string): number[] {
  const counts = text.split(",").map(Number);
  const isFine = counts.every(
    (count, i) => Number.isInteger(count) && count > (counts[i - 1] ?? 0) && count <= MOST,
  );
  if (!isFine)
    throw new Error(`--sidecars: ${text}: expected rising numbers from 1 to ${MOST}, such as 1,2,4`);
  return counts;
}

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

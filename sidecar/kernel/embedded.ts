import type { Clock } from "../platform/clock.ts";
import { createSteadyTime } from "../platform/clock.ts";
import { createBus } from "./bridge/bus.ts";
import { createMemoryOutbox } from "./bridge/memory-outbox.ts";
import type { Shared, SharedRecords, SharedServer } from "./shared.ts";
import { createMemoryRates } from "./storage/memory-rates.ts";
import { createMemoryRecords } from "./storage/memory-records.ts";
import type { Reach } from "./storage/ports.ts";

/** A storage of this process. */
export const ALWAYS_THERE: Reach = { isAway: () => false, onChange: () => undefined };

/** What a bridge with one sidecar process needs, in this process, with records as they are handed in. */
export function embedded(
  clock: Clock,
  own: {
    records: Omit<SharedRecords, "volatile">;
    bridgeId: Shared["bridgeId"];
    /** Closes what the records are in. */
    close(): Promise<void>;
  },
  /** names of the game servers beside the first */
  names: readonly string[] = [],
): Shared {
  const { records, ...more } = own;
  const volatile = createMemoryRecords(clock.monotonic);
  const createServer = (server: string): SharedServer => ({
    outbox: createMemoryOutbox(clock),
    bus: createBus({ records: volatile, reach: ALWAYS_THERE, server, scope: `${server}:` }),
  });
  return {
    clock,
    time: createSteadyTime(clock),
    records: {
      ...records,
      volatile: { ...volatile, now: clock.monotonic },
    },
    ...more,
    server: createServer(""),
    servers: new Map(names.map(name => [name, createServer(name)])),
    rates: createMemoryRates(clock),
    refused: { tell: () => undefined, others: () => [] },
    duty: { hold: begin => begin(undefined) },
    reach: ALWAYS_THERE,
    gauges: [],
    started: () => undefined,
  };
}

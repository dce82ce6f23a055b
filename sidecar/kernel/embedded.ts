import type { Clock } from "../platform/clock.ts";
import { createSteadyTime } from "../platform/clock.ts";
import { createBus } from "./bridge/bus.ts";
import { createMemoryOutbox } from "./bridge/memory-outbox.ts";
import type { SharedRecords, SharedServer, SharedState } from "./shared.ts";
import { createMemoryRates } from "./storage/memory-rates.ts";
import { createMemoryRecords } from "./storage/memory-records.ts";
import type { Reach } from "./storage/ports.ts";

/** Reach of a storage in this process. */
export const ALWAYS_REACHABLE: Reach = { isAway: () => false, onChange: () => undefined };

/** The shared state of a bridge with a single sidecar process: it is in this process, with the given records. */
export function embedded(
  clock: Clock,
  own: {
    records: Omit<SharedRecords, "volatile">;
    bridgeId: SharedState["bridgeId"];
    /** Closes the files of the records. */
    close(): Promise<void>;
  },
  /** names of the game servers after the first */
  names: readonly string[] = [],
): SharedState {
  const { records, ...more } = own;
  const volatile = createMemoryRecords(clock.monotonic);
  const createServer = (server: string): SharedServer => ({
    outbox: createMemoryOutbox(clock),
    bus: createBus({ records: volatile, reach: ALWAYS_REACHABLE, server, scope: `${server}:` }),
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
    refused: { publish: () => undefined, others: () => [] },
    leadership: { hold: begin => begin(undefined) },
    reach: ALWAYS_REACHABLE,
    gauges: [],
    started: () => undefined,
  };
}

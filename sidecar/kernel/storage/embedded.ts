import type { Clock } from "../../platform/clock.ts";
import { createSteadyTime } from "../../platform/clock.ts";
import { createEmbeddedBus } from "../bridge/embedded-bus.ts";
import { createEmbeddedOutbox } from "../bridge/embedded-outbox.ts";
import { createMemoryRates } from "./memory-rates.ts";
import { createMemoryRecords } from "./memory-records.ts";
import type { Shared, SharedRecords, SharedWorld } from "./ports/shared.ts";
import type { Reach } from "./ports.ts";

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
  /** names of the worlds beside the first */
  names: readonly string[] = [],
): Shared {
  const { records, ...more } = own;
  const createWorld = (): SharedWorld => ({ outbox: createEmbeddedOutbox(clock), bus: createEmbeddedBus() });
  return {
    clock,
    time: createSteadyTime(clock),
    records: {
      ...records,
      volatile: { ...createMemoryRecords(clock.monotonic), now: clock.monotonic },
    },
    ...more,
    world: createWorld(),
    worlds: new Map(names.map(name => [name, createWorld()])),
    rates: createMemoryRates(clock),
    refused: { tell: () => undefined, others: () => [] },
    duty: { hold: begin => begin(undefined) },
    reach: ALWAYS_THERE,
    gauges: [],
    started: () => undefined,
  };
}

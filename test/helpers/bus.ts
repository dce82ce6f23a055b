import { createBus } from "../../sidecar/kernel/bridge/bus.ts";
import type { Bus } from "../../sidecar/kernel/bridge/ports.ts";
import { ALWAYS_REACHABLE } from "../../sidecar/kernel/embedded.ts";
import { createMemoryRecords } from "../../sidecar/kernel/storage/memory-records.ts";

/** The event bus of a single process. */
export const memoryBus = (): Bus =>
  createBus({ records: createMemoryRecords(() => 0), reach: ALWAYS_REACHABLE, server: "", scope: "" });

import { createFeedLog } from "../../sidecar/features/feed/files/feed-log.ts";
import type { OwnLog } from "../../sidecar/kernel/storage/ports/feed.ts";
import type { Clock } from "../../sidecar/platform/clock.ts";

const ignore = (): void => undefined;

/** A log that lasts as long as the process. */
export const memoryFeedLog = (clock: Clock, entries = 10_000, forMs = Number.POSITIVE_INFINITY): OwnLog =>
  createFeedLog({
    clock,
    log: { error: ignore, info: ignore },
    bounds: { entries, forMs },
  });

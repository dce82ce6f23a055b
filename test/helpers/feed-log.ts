import type { OwnLog } from "../../sidecar/ports/feed.ts";
import type { Clock } from "../../sidecar/ports.ts";
import { createFeedLog } from "../../sidecar/store/feed-log.ts";

const ignore = (): void => undefined;

/** A log that lasts as long as the process. */
export const memoryFeedLog = (clock: Clock, entries = 10_000, forMs = Number.POSITIVE_INFINITY): OwnLog =>
  createFeedLog({
    clock,
    log: { error: ignore, info: ignore },
    bounds: { entries, forMs },
  });

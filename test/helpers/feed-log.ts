import type { Clock, FeedLog } from "../../sidecar/ports.ts";
import { createFeedLog } from "../../sidecar/store/feed-log.ts";

const ignore = (): void => undefined;

/** A log that lasts as long as the process. */
export const memoryFeedLog = (clock: Clock, entries = 10_000, forMs = Number.POSITIVE_INFINITY): FeedLog =>
  createFeedLog({
    clock,
    log: { error: ignore, info: ignore },
    bounds: { entries, forMs },
  });

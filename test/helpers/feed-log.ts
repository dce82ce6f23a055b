import { createFeedLog, type FeedLog, type ServerFeed } from "../../sidecar/features/feed/feed-log.ts";
import { createMemoryRecords } from "../../sidecar/kernel/storage/memory-records.ts";
import type { RecordsWithStreams } from "../../sidecar/kernel/storage/records.ts";
import type { Clock } from "../../sidecar/platform/clock.ts";

/** A feed, with what it has told of the first game server. */
export type FirstLog = FeedLog & ServerFeed;

export const firstLogOf = (log: FeedLog): FirstLog => ({ ...log, ...log.serverFeed("") });

/** A log in these records; without them it lasts as long as the process. */
export function memoryFeedLog(
  clock: Clock,
  entries = 10_000,
  forMs = Number.POSITIVE_INFINITY,
  records: RecordsWithStreams = createMemoryRecords(clock.monotonic),
): FirstLog {
  return firstLogOf(createFeedLog({ records, clock, bounds: { entries, forMs } }));
}

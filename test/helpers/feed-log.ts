import { createFeedLog, type FeedLog, type ServerFeed } from "../../sidecar/features/feed/feed-log.ts";
import { createMemoryRecords } from "../../sidecar/kernel/storage/memory-records.ts";
import type { RecordsWithStreams } from "../../sidecar/kernel/storage/records.ts";
import type { Clock } from "../../sidecar/platform/clock.ts";

/** A feed, with the events of the first game server that it has sent. */
export type FirstLog = FeedLog & ServerFeed;

export const firstLogOf = (log: FeedLog): FirstLog => ({ ...log, ...log.serverFeed("") });

/** A log on these records; without them, in memory. */
export function memoryFeedLog(
  clock: Clock,
  entries = 10_000,
  forMs = Number.POSITIVE_INFINITY,
  records: RecordsWithStreams = createMemoryRecords(clock.monotonic),
): FirstLog {
  return firstLogOf(createFeedLog({ records, clock, bounds: { entries, forMs } }));
}

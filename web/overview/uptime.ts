import type { HistoryMeans, HistorySpan } from "../../client/index.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Length of the busiest time of a day, in hours. */
const BUSY_HOURS = 3;
const HOURS = 24;

/** How much of a span of time a game server was online. */
interface Uptime {
  /** 0 to 1 */
  share: number;
  /** since when that is known, in milliseconds since 1970; undefined: for the complete span */
  since: number | undefined;
}

/** The points of intervals that are over. */
const complete = ({ points }: HistoryMeans): HistoryMeans["points"] => points.slice(0, -1);

/** The uptime by the intervals that are over; undefined where it was never recorded. */
export function uptimeOf(span: HistorySpan, rollups: HistoryMeans): Uptime | undefined {
  const all = complete(rollups);
  const known = all.slice(all.map(({ onlineMs }) => onlineMs).lastIndexOf(null) + 1);
  const [first, ...later] = known;
  if (first === undefined) return undefined;
  const { intervalMs } = rollups;
  const onlineMs = known.reduce((sum, point) => sum + (point.onlineMs ?? 0), 0);
  const wholeMs = Number.parseInt(span, 10) * DAY_MS;
  const isWhole = (known.length + 1) * intervalMs >= wholeMs;
  // The service may have been installed, or started, within the first interval.
  const firstMs = isWhole ? intervalMs : (first.onlineMs ?? 0);
  const knownMs = firstMs + later.length * intervalMs;
  if (knownMs === 0) return undefined;
  return {
    share: Math.min(1, onlineMs / knownMs),
    since: isWhole ? undefined : first.at + intervalMs - firstMs,
  };
}

/**
 * The hour of the day, 0 to 23, at which the three hours with the most players begin; undefined if there were no players or there is no
 * figure of each hour yet. `hourOf`: the hour of a time in milliseconds since 1970.
 */
export function busiestHour(rollups: HistoryMeans, hourOf: (at: number) => number): number | undefined {
  const sums = Array.from({ length: HOURS }, () => ({ players: 0, count: 0 }));
  for (const { at, onlinePlayerCount } of complete(rollups)) {
    const hour = sums[hourOf(at)];
    if (onlinePlayerCount === null || hour === undefined) continue;
    hour.players += onlinePlayerCount;
    hour.count++;
  }
  if (sums.some(({ count }) => count === 0)) return undefined;
  const averages = sums.map(({ players, count }) => players / count);
  const busy = averages.map((_, hour) =>
    Array.from({ length: BUSY_HOURS }, (_, i) => averages[(hour + i) % HOURS] ?? 0).reduce((a, b) => a + b),
  );
  const most = Math.max(...busy);
  return most === 0 ? undefined : busy.indexOf(most);
}

/** When the busiest time that begins at an hour ends, an hour of the day. */
export const busyUntil = (hour: number): number => (hour + BUSY_HOURS) % HOURS;

import type { HistoryPoint } from "../../../../shared/public/game-server.ts";

export const HISTORY_MS = 3_600_000;
export const HISTORY_POINTS = 720;
/** Intervals without a point after which no process can have been reporting. */
const SILENT_INTERVALS = 3;

/** Interval of one point, in milliseconds: the refresh interval, or longer if an hour would have too many points. */
export const historyIntervalMs = (refreshMs: number): number =>
  Math.max(refreshMs, HISTORY_MS / HISTORY_POINTS);

/** The point that says that no game server reports. */
export const gapAt = (at: number): HistoryPoint => ({
  at,
  tps: null,
  onlinePlayerCount: null,
  memoryUsedMB: null,
  cpuUsage: null,
});

export const isGap = (point: HistoryPoint): boolean => point.tps === null;

/**
 * The history after adding a point: one for each interval, in order, of the last hour. One gap marks a complete absence;
 * none begins the history. Points that the clock has not reached again after being set back are dropped. Returns the
 * same list when nothing changes.
 */
export function addPoint(
  points: readonly HistoryPoint[],
  point: HistoryPoint,
  intervalMs: number,
): readonly HistoryPoint[] {
  const from = point.at - HISTORY_MS;
  const recent = points.filter(({ at }) => at > from && at <= point.at);
  const added = [...recent, ...following(recent.at(-1), point, intervalMs)].slice(-HISTORY_POINTS);
  const start = added.findIndex(one => !isGap(one));
  const next = start < 0 ? [] : added.slice(start);
  return next.length === points.length && next.every((one, i) => one === points[i]) ? points : next;
}

/** The points to append for a new point. */
function following(
  last: HistoryPoint | undefined,
  point: HistoryPoint,
  intervalMs: number,
): readonly HistoryPoint[] {
  if (!last) return [point];
  const slot = (at: number): number => Math.floor(at / intervalMs);
  if (isGap(point)) return isGap(last) || point.at === last.at ? [] : [point];
  if (slot(point.at) === slot(last.at)) return [];
  const silent = !isGap(last) && point.at - last.at > SILENT_INTERVALS * intervalMs;
  return silent ? [gapAt(last.at + intervalMs), point] : [point];
}

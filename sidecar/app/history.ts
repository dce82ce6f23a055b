import type { HistoryData, HistoryPoint, Metrics } from "../../shared/public/game.ts";
import { addPoint, gapAt, historyIntervalMs } from "../domain/history.ts";
import { freshForMs } from "../domain/snapshot.ts";
import type { HistoryStore } from "../ports/feed.ts";
import type { Clock } from "../ports.ts";
import type { Snapshots } from "./snapshots.ts";

/** Remembers what the snapshots of the last hour showed, and when there were none. */
export async function createHistory(deps: {
  clock: Clock;
  snapshots: Snapshots;
  store: HistoryStore;
  refreshMs: number;
}) {
  const { clock, snapshots, store } = deps;
  const intervalMs = historyIntervalMs(deps.refreshMs);
  // Points that lie ahead are of a clock that was set back: nothing would be a gap until it is there again.
  const stored = (await store.read()).filter(({ at }) => at <= clock.now()).sort((a, b) => a.at - b.at);
  const points = stored.reduce<readonly HistoryPoint[]>((all, point) => addPoint(all, point, intervalMs), []);
  let data: HistoryData = { intervalMs, points };
  /** A restart alone is no absence of the game: it has as long to report again as at any other time. */
  const gapsFrom = (points.at(-1)?.at ?? 0) + freshForMs(deps.refreshMs);

  function add(point: HistoryPoint): void {
    const points = addPoint(data.points, point, intervalMs);
    if (points === data.points) return;
    data = { intervalMs, points };
    // What cannot be kept is missing in the plots of those who start later.
    store.add(Math.floor(point.at / intervalMs), point).catch(() => undefined);
  }

  function sample(): void {
    const snapshot = snapshots.fresh();
    if (snapshot) add(pointOf(clock.now(), snapshot.status));
    else if (clock.now() >= gapsFrom) add(gapAt(clock.now()));
  }

  sample();
  snapshots.onChange(sample);
  const stop = clock.every(intervalMs, sample);
  return {
    /** The last hour; the same object until something is added. */
    data: (): HistoryData => data,
    /** Ends the sampling. */
    stop,
  };
}

const pointOf = (at: number, metrics: Metrics): HistoryPoint => ({
  at,
  tps: metrics.tps,
  onlinePlayerCount: metrics.onlinePlayerCount,
  memoryUsedMB: metrics.memoryUsedMB === 0 ? null : metrics.memoryUsedMB,
  cpuUsage: metrics.cpuUsage < 0 ? null : metrics.cpuUsage,
});

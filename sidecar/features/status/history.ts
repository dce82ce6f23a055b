import type { HistoryData, HistoryMeans, HistoryPoint, Metrics } from "../../../shared/public/game-server.ts";
import type { Clock } from "../../platform/clock.ts";
import type { HistoryStore } from "./records.ts";
import { freshForMs } from "./rules/freshness.ts";
import { addPoint, gapAt, historyIntervalMs } from "./rules/history.ts";
import {
  averagesAt,
  type Bucket,
  count,
  LONG_SPANS,
  type LongSpan,
  type Report,
  slotOf,
  withBuckets,
} from "./rules/rollups.ts";
import type { Snapshots } from "./snapshots.ts";

export type History = Awaited<ReturnType<typeof createHistory>>;

/** Records the snapshots of the last hour, with gaps while there were none, and roll-ups of longer spans. */
export async function createHistory(deps: {
  clock: Clock;
  snapshots: Snapshots;
  store: HistoryStore;
  refreshMs: number;
}) {
  const { clock, snapshots, store } = deps;
  const intervalMs = historyIntervalMs(deps.refreshMs);
  // Points in the future come from a clock that was set back: they would hide every gap until then.
  const stored = (await store.read()).filter(({ at }) => at <= clock.now()).sort((a, b) => a.at - b.at);
  const points = stored.reduce<readonly HistoryPoint[]>((all, point) => addPoint(all, point, intervalMs), []);
  let data: HistoryData = { intervalMs, points };
  /** A restart alone is no absence of the game: it has as long to report again as at any other time. */
  const gapsFrom = (points.at(-1)?.at ?? 0) + freshForMs(deps.refreshMs);

  function add(point: HistoryPoint): void {
    const points = addPoint(data.points, point, intervalMs);
    if (points === data.points) return;
    data = { intervalMs, points };
    // Points that cannot be stored are missing in plots after a restart.
    store.add(Math.floor(point.at / intervalMs), point).catch(() => undefined);
  }

  let rollups = await store.rollups();
  /** the last response for each span */
  const cached = new Map<LongSpan, { buckets: readonly Bucket[]; present: number; data: HistoryMeans }>();

  function countReport(report: Report): void {
    const next = count(rollups, report);
    if (next === rollups) return;
    rollups = next;
    const settle = (totals: Awaited<ReturnType<typeof store.count>>): void => {
      rollups = withBuckets(rollups, span => {
        const all = totals[LONG_SPANS.indexOf(span)];
        return all && { slot: slotOf(span, report.at), totals: all };
      });
    };
    store.count(report).then(settle, () => undefined);
  }

  function sample(): void {
    const snapshot = snapshots.fresh();
    if (snapshot) {
      add(pointOf(clock.now(), snapshot.status));
      const at = Math.floor(snapshots.reportedAt() ?? clock.now());
      countReport({ ...pointOf(at, snapshot.status), freshMs: freshForMs(deps.refreshMs) });
    } else if (clock.now() >= gapsFrom) add(gapAt(clock.now()));
  }

  sample();
  snapshots.onChange(sample);
  const stop = clock.every(intervalMs, sample);
  return {
    /** The last hour; the same object until something is added. */
    data: (): HistoryData => data,
    /** The averages of a longer span; the same object until one changes. */
    rollups(span: LongSpan): HistoryMeans {
      const [buckets, present] = [rollups.buckets[span], slotOf(span, clock.now())];
      const before = cached.get(span);
      if (before?.buckets === buckets && before.present === present) return before.data;
      const data = averagesAt(span, buckets, clock.now());
      cached.set(span, { buckets, present, data });
      return data;
    },
    /** Ends the sampling. */
    stop,
  };
}

const pointOf = (at: number, metrics: Metrics): Omit<Report, "freshMs"> => ({
  at,
  tps: metrics.tps,
  onlinePlayerCount: metrics.onlinePlayerCount,
  memoryUsedMB: metrics.memoryUsedMB === 0 ? null : metrics.memoryUsedMB,
  cpuUsage: metrics.cpuUsage < 0 ? null : metrics.cpuUsage,
});

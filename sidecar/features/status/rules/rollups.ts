import type { HistoryMean, HistoryMeans } from "../../../../shared/public/game-server.ts";
import type { HistorySpan } from "../../../../shared/public/words.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/** A span of time whose points are averages. */
export type LongSpan = Exclude<HistorySpan, "1h">;

/** Length of the interval of one point, in milliseconds, and the number of points. */
export const LONG: Readonly<Record<LongSpan, { intervalMs: number; points: number }>> = {
  "1d": { intervalMs: 5 * MINUTE_MS, points: 288 },
  "7d": { intervalMs: 30 * MINUTE_MS, points: 336 },
  "30d": { intervalMs: 120 * MINUTE_MS, points: 360 },
  "365d": { intervalMs: DAY_MS, points: 365 },
};
export const LONG_SPANS = ["1d", "7d", "30d", "365d"] as const satisfies readonly LongSpan[];

/** A report this much older than the last counted one comes from a clock that was set back, in milliseconds; a newer one is late. */
const SET_BACK_MS = MINUTE_MS;

/** Figures that a game server reported. */
export interface Report {
  /** whole milliseconds since 1970 */
  at: number;
  tps: number;
  onlinePlayerCount: number;
  /** null: not visible */
  memoryUsedMB: number | null;
  cpuUsage: number | null;
  /** Up to this long since the previous report, the game server counts as online, in milliseconds. */
  freshMs: number;
}

/**
 * Totals of reports, as whole numbers: `tps` and `cpu` in hundredths, `memory` in MiB, `withMemory` and `withCpu` the number of
 * reports that have the value, `peak` the most players at once. `onlineMs` is undefined if a version that did not count it has
 * added reports.
 */
export type Totals = readonly [
  reports: number,
  tps: number,
  players: number,
  memory: number,
  withMemory: number,
  cpu: number,
  withCpu: number,
  peak: number,
  onlineMs: number | undefined,
];

/** Totals of the reports of one interval: the one that begins `slot` intervals after 1970. */
export interface Bucket {
  readonly slot: number;
  readonly totals: Totals;
}

/** The buckets of each span that have reports, oldest first. */
export interface Rollups {
  /** time of the last counted report */
  readonly last: number;
  readonly buckets: Readonly<Record<LongSpan, readonly Bucket[]>>;
}

export const NO_ROLLUPS: Rollups = { last: -1, buckets: { "1d": [], "7d": [], "30d": [], "365d": [] } };

export const slotOf = (span: LongSpan, at: number): number => Math.floor(at / LONG[span].intervalMs);

export const totalsOf = (
  { tps, onlinePlayerCount, memoryUsedMB, cpuUsage }: Report,
  onlineMs = 0,
): Totals => [
  1,
  Math.round(tps * 100),
  onlinePlayerCount,
  memoryUsedMB ?? 0,
  memoryUsedMB === null ? 0 : 1,
  Math.round((cpuUsage ?? 0) * 100),
  cpuUsage === null ? 0 : 1,
  onlinePlayerCount,
  onlineMs,
];

/** Sums of both, with the higher peak. */
const added = (a: Totals, b: Totals): Totals => [
  a[0] + b[0],
  a[1] + b[1],
  a[2] + b[2],
  a[3] + b[3],
  a[4] + b[4],
  a[5] + b[5],
  a[6] + b[6],
  Math.max(a[7], b[7]),
  a[8] === undefined || b[8] === undefined ? undefined : a[8] + b[8],
];

/** The first with the higher peak of both. */
function raised(totals: Totals, { 7: peak }: Totals): Totals {
  const [reports, tps, players, memory, withMemory, cpu, withCpu, before, onlineMs] = totals;
  return peak > before ? [reports, tps, players, memory, withMemory, cpu, withCpu, peak, onlineMs] : totals;
}

/** Whether a report was not counted yet. `last`: time of the last counted report. */
export const isNewReport = (last: number, { at }: Report): boolean => at > last || at < last - SET_BACK_MS;

/** Adds a report to the totals of its bucket. Returns the same object when nothing changes. `last`: as in `isNewReport`. */
export function addReport(before: Totals | undefined, report: Report, last: number): Totals | undefined {
  const sinceMs = report.at - last;
  const own = totalsOf(report, sinceMs > 0 && sinceMs <= report.freshMs ? sinceMs : 0);
  if (isNewReport(last, report)) return before ? added(before, own) : own;
  return before && raised(before, own);
}

/**
 * Adds a report. One that is late, or was counted already, only raises the peak: a player may join and leave between two reports.
 * Returns the same object when nothing changes.
 */
export function count(rollups: Rollups, report: Report): Rollups {
  const { last, buckets } = rollups;
  const isNew = isNewReport(last, report);
  const counted = withBuckets(rollups, span => {
    const slot = slotOf(span, report.at);
    const before = buckets[span].findLast(each => each.slot === slot)?.totals;
    const totals = addReport(before, report, last);
    return totals && { slot, totals };
  });
  return isNew ? { ...counted, last: report.at } : counted;
}

/** The roll-ups with these buckets replaced. Returns the same object when nothing changes. */
export function withBuckets(rollups: Rollups, bucketFor: (span: LongSpan) => Bucket | undefined): Rollups {
  const { buckets } = rollups;
  const next = { ...buckets };
  for (const span of LONG_SPANS) {
    const bucket = bucketFor(span);
    if (bucket) next[span] = withBucket(buckets[span], bucket, LONG[span].points);
  }
  return LONG_SPANS.every(span => next[span] === buckets[span]) ? rollups : { ...rollups, buckets: next };
}

/**
 * Adds or replaces a bucket. If there are more buckets than points, drops the most distant one, so that buckets of a clock that was
 * wrong for a while go.
 */
function withBucket(buckets: readonly Bucket[], one: Bucket, most: number): readonly Bucket[] {
  const before = buckets.findLastIndex(({ slot }) => slot <= one.slot);
  const known = buckets[before];
  const isThere = known?.slot === one.slot;
  if (isThere && one.totals.every((each, place) => each === known.totals[place])) return buckets;
  const next = isThere ? buckets.with(before, one) : buckets.toSpliced(before + 1, 0, one);
  if (next.length <= most) return next;
  const [oldest = one, newest = one] = [next[0], next.at(-1)];
  return one.slot - oldest.slot >= newest.slot - one.slot ? next.slice(1) : next.slice(0, -1);
}

/** The points of a span: from the first one with data to the current one. */
export function averagesAt(span: LongSpan, buckets: readonly Bucket[], now: number): HistoryMeans {
  const { intervalMs, points: most } = LONG[span];
  const present = slotOf(span, now);
  const within = buckets.filter(({ slot }) => slot > present - most && slot <= present);
  const bySlot = new Map(within.map(({ slot, totals }) => [slot, totals]));
  const first = within[0]?.slot ?? present + 1;
  const points = Array.from({ length: present + 1 - first }, (_, i) =>
    averageOf((first + i) * intervalMs, intervalMs, bySlot.get(first + i)),
  );
  return { intervalMs, points };
}

function averageOf(at: number, intervalMs: number, totals: Totals | undefined): HistoryMean {
  const [reports, tps, players, memory, withMemory, cpu, withCpu, peak, onlineMs] = totals ?? NOTHING;
  const mean = (sum: number, of: number): number | null => (of === 0 ? null : Math.round(sum / of) / 100);
  return {
    at,
    tps: mean(tps, reports),
    onlinePlayerCount: mean(players * 100, reports),
    memoryUsedMB: mean(memory * 100, withMemory),
    cpuUsage: mean(cpu, withCpu),
    peakPlayers: reports === 0 ? null : peak,
    // The first report of an interval also counts the end of the interval before.
    onlineMs: onlineMs === undefined ? null : Math.min(onlineMs, intervalMs),
  };
}

const NOTHING: Totals = [0, 0, 0, 0, 0, 0, 0, 0, 0];

/** How totals are stored. */
export const writeTotals = (totals: Totals): string => totals.filter(each => each !== undefined).join(" ");

/** Parses stored totals; undefined: they are invalid. */
export function readTotals(text: string): Totals | undefined {
  const numbers = text.split(" ").map(Number);
  if (!numbers.every(each => Number.isSafeInteger(each) && each >= 0)) return undefined;
  const [reports = 0, tps, players, memory, withMemory, cpu, withCpu, peak, onlineMs, ...more] = numbers;
  const totals = [reports, tps, players, memory, withMemory, cpu, withCpu, peak, onlineMs] as const;
  return more.length === 0 && reports !== 0 && isWhole(totals) ? totals : undefined;
}

/** Earlier versions stored totals without the time online. */
const isWhole = (totals: readonly (number | undefined)[]): totals is Totals =>
  totals.slice(0, -1).every(each => each !== undefined);

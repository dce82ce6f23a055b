import type { HistoryMean, HistoryMeans } from "../../../../shared/public/game-server.ts";
import type { HistorySpan } from "../../../../shared/public/words.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/** A span of time whose points are means. */
export type LongSpan = Exclude<HistorySpan, "1h">;

/** Time that one point stands for, in milliseconds, and how many points there are. */
export const LONG: Readonly<Record<LongSpan, { intervalMs: number; points: number }>> = {
  "1d": { intervalMs: 5 * MINUTE_MS, points: 288 },
  "7d": { intervalMs: 30 * MINUTE_MS, points: 336 },
  "30d": { intervalMs: 120 * MINUTE_MS, points: 360 },
  "365d": { intervalMs: DAY_MS, points: 365 },
};
export const LONG_SPANS = ["1d", "7d", "30d", "365d"] as const satisfies readonly LongSpan[];

/** How far behind the report that was counted last one is of a clock that was set back, in milliseconds: nearer, it is late. */
const SET_BACK_MS = MINUTE_MS;

/** What a game server has reported. */
export interface Report {
  /** whole milliseconds since 1970 */
  at: number;
  tps: number;
  onlinePlayerCount: number;
  /** null: not visible */
  memoryUsedMB: number | null;
  cpuUsage: number | null;
  /** The game server was online since the report before if that is no longer ago, in milliseconds. */
  freshMs: number;
}

/**
 * Sums of reports, whole numbers all: how many there are, hundredths of ticks, players, MiB and the reports with them, hundredths
 * of percents and the reports with them, the most players at once, and milliseconds online; the last is undefined where a version
 * that did not count it has added reports.
 */
export type Sums = readonly [
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

/** What was reported within one slot of time: the one that begins `slot` intervals after 1970. */
export interface Slot {
  readonly slot: number;
  readonly sums: Sums;
}

/** What was counted of each span: its slots that have anything, oldest first. */
export interface Means {
  /** time of the report that was counted last */
  readonly last: number;
  readonly slots: Readonly<Record<LongSpan, readonly Slot[]>>;
}

export const NO_MEANS: Means = { last: -1, slots: { "1d": [], "7d": [], "30d": [], "365d": [] } };

export const slotOf = (span: LongSpan, at: number): number => Math.floor(at / LONG[span].intervalMs);

export const sumsOf = ({ tps, onlinePlayerCount, memoryUsedMB, cpuUsage }: Report, onlineMs = 0): Sums => [
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

/** Both together. */
const added = (a: Sums, b: Sums): Sums => [
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

/** The first with no fewer players at once than the second had. */
function raised(sums: Sums, { 7: peak }: Sums): Sums {
  const [reports, tps, players, memory, withMemory, cpu, withCpu, before, onlineMs] = sums;
  return peak > before ? [reports, tps, players, memory, withMemory, cpu, withCpu, peak, onlineMs] : sums;
}

/** Whether a report was not counted yet, by when that was which was counted last. */
export const isNewReport = (last: number, { at }: Report): boolean => at > last || at < last - SET_BACK_MS;

/** The sums of a slot with a report of it; the same where nothing changes. `last`: as in `isNewReport`. */
export function addReport(before: Sums | undefined, report: Report, last: number): Sums | undefined {
  const sinceMs = report.at - last;
  const own = sumsOf(report, sinceMs > 0 && sinceMs <= report.freshMs ? sinceMs : 0);
  if (isNewReport(last, report)) return before ? added(before, own) : own;
  return before && raised(before, own);
}

/**
 * The means with a report. One that was counted, or comes late, raises the most players alone: between two reports somebody may
 * come and go. Returns the same when nothing changes.
 */
export function count(means: Means, report: Report): Means {
  const { last, slots } = means;
  const isNew = isNewReport(last, report);
  const counted = withSlots(means, span => {
    const slot = slotOf(span, report.at);
    const before = slots[span].findLast(each => each.slot === slot)?.sums;
    const sums = addReport(before, report, last);
    return sums && { slot, sums };
  });
  return isNew ? { ...counted, last: report.at } : counted;
}

/** The means with these slots replaced. Returns the same object when nothing changes. */
export function withSlots(means: Means, slotFor: (span: LongSpan) => Slot | undefined): Means {
  const { slots } = means;
  const next = { ...slots };
  for (const span of LONG_SPANS) {
    const slot = slotFor(span);
    if (slot) next[span] = withSlot(slots[span], slot, LONG[span].points);
  }
  return LONG_SPANS.every(span => next[span] === slots[span]) ? means : { ...means, slots: next };
}

/**
 * Of more slots than there are points, the most distant one is dropped: a clock that goes wrong for a while leaves nothing, and
 * takes little.
 */
function withSlot(slots: readonly Slot[], one: Slot, most: number): readonly Slot[] {
  const before = slots.findLastIndex(({ slot }) => slot <= one.slot);
  const known = slots[before];
  const isThere = known?.slot === one.slot;
  if (isThere && one.sums.every((each, place) => each === known.sums[place])) return slots;
  const next = isThere ? slots.with(before, one) : slots.toSpliced(before + 1, 0, one);
  if (next.length <= most) return next;
  const [oldest = one, newest = one] = [next[0], next.at(-1)];
  return one.slot - oldest.slot >= newest.slot - one.slot ? next.slice(1) : next.slice(0, -1);
}

/** The points of a span: from the first one with data to the current one. */
export function meansAt(span: LongSpan, slots: readonly Slot[], now: number): HistoryMeans {
  const { intervalMs, points: most } = LONG[span];
  const present = slotOf(span, now);
  const within = slots.filter(({ slot }) => slot > present - most && slot <= present);
  const bySlot = new Map(within.map(({ slot, sums }) => [slot, sums]));
  const first = within[0]?.slot ?? present + 1;
  const points = Array.from({ length: present + 1 - first }, (_, i) =>
    meanOf((first + i) * intervalMs, intervalMs, bySlot.get(first + i)),
  );
  return { intervalMs, points };
}

function meanOf(at: number, intervalMs: number, sums: Sums | undefined): HistoryMean {
  const [reports, tps, players, memory, withMemory, cpu, withCpu, peak, onlineMs] = sums ?? NOTHING;
  const mean = (sum: number, of: number): number | null => (of === 0 ? null : Math.round(sum / of) / 100);
  return {
    at,
    tps: mean(tps, reports),
    onlinePlayerCount: mean(players * 100, reports),
    memoryUsedMB: mean(memory * 100, withMemory),
    cpuUsage: mean(cpu, withCpu),
    peakPlayers: reports === 0 ? null : peak,
    // The first report of an interval also counts for the end of the one before.
    onlineMs: onlineMs === undefined ? null : Math.min(onlineMs, intervalMs),
  };
}

const NOTHING: Sums = [0, 0, 0, 0, 0, 0, 0, 0, 0];

/** How sums are stored. */
export const writeSums = (sums: Sums): string => sums.filter(each => each !== undefined).join(" ");

/** Parses stored sums; undefined: they are invalid. */
export function readSums(text: string): Sums | undefined {
  const numbers = text.split(" ").map(Number);
  if (!numbers.every(each => Number.isSafeInteger(each) && each >= 0)) return undefined;
  const [reports = 0, tps, players, memory, withMemory, cpu, withCpu, peak, onlineMs, ...more] = numbers;
  const sums = [reports, tps, players, memory, withMemory, cpu, withCpu, peak, onlineMs] as const;
  return more.length === 0 && reports !== 0 && isWhole(sums) ? sums : undefined;
}

/** Earlier versions have stored sums without the time online. */
const isWhole = (sums: readonly (number | undefined)[]): sums is Sums =>
  sums.slice(0, -1).every(each => each !== undefined);

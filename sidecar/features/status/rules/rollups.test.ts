import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { HistoryMean } from "../../../../client/types.ts";
import {
  averagesAt,
  count,
  LONG,
  LONG_SPANS,
  type LongSpan,
  NO_ROLLUPS,
  type Report,
  type Rollups,
  readTotals,
  totalsOf,
  writeTotals,
} from "./rollups.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const FRESH = 15_000;
const NOON = Date.UTC(2026, 5, 15, 12);
const report = (at: number, more: Partial<Report> = {}): Report => ({
  at,
  tps: 20,
  onlinePlayerCount: 1,
  memoryUsedMB: 512,
  cpuUsage: 12.5,
  freshMs: FRESH,
  ...more,
});
const counted = (...reports: Report[]): Rollups => reports.reduce(count, NO_ROLLUPS);
const pointsOf = (rollups: Rollups, span: LongSpan, now: number): readonly HistoryMean[] =>
  averagesAt(span, rollups.buckets[span], now).points;

/** How long the game server was online before a report without a break, at most since the one before. */
function onlineBefore(one: Report, reports: readonly Report[]): number {
  const before = reports[reports.indexOf(one) - 1];
  return before !== undefined && one.at - before.at <= FRESH ? one.at - before.at : 0;
}

/** The points, computed from all reports. */
function plainly(reports: readonly Report[], span: LongSpan, now: number): HistoryMean[] {
  const { intervalMs, points } = LONG[span];
  const all: HistoryMean[] = [];
  for (let i = points - 1; i >= 0; i--) {
    const at = (Math.floor(now / intervalMs) - i) * intervalMs;
    const within = reports.filter(one => one.at >= at && one.at < at + intervalMs);
    const mean = (figure: "tps" | "onlinePlayerCount" | "memoryUsedMB" | "cpuUsage"): number | null => {
      const figures = within.map(one => one[figure]).filter(one => one !== null);
      const hundredths = figures.reduce((sum, one) => sum + Math.round(one * 100), 0);
      return figures.length === 0 ? null : Math.round(hundredths / figures.length) / 100;
    };
    all.push({
      at,
      tps: mean("tps"),
      onlinePlayerCount: mean("onlinePlayerCount"),
      memoryUsedMB: mean("memoryUsedMB"),
      cpuUsage: mean("cpuUsage"),
      peakPlayers: within.length === 0 ? null : Math.max(...within.map(one => one.onlinePlayerCount)),
      onlineMs: Math.min(
        within.reduce((sum, one) => sum + onlineBefore(one, reports), 0),
        intervalMs,
      ),
    });
  }
  const first = all.findIndex(point => point.tps !== null);
  return first < 0 ? [] : all.slice(first);
}

describe("the roll-ups", () => {
  it.each([
    ["1d", 5 * MINUTE, 288],
    ["7d", 30 * MINUTE, 336],
    ["30d", 120 * MINUTE, 360],
    ["365d", DAY, 365],
  ] as const)("of %s have a point for each %i ms since 1970, %i at most", (span, intervalMs, most) => {
    const reports = Array.from({ length: most + 50 }, (_, i) => report(NOON + i * intervalMs));
    const now = reports.at(-1)?.at ?? 0;
    const { intervalMs: interval, points } = averagesAt(span, counted(...reports).buckets[span], now);
    expect([interval, points.length]).toEqual([intervalMs, most]);
    const newest = Math.floor(now / intervalMs) * intervalMs;
    expect([points[0]?.at, points.at(-1)?.at]).toEqual([newest - (most - 1) * intervalMs, newest]);
  });

  it("count a report once, with the peak including players who join and leave before the next one", () => {
    const once = counted(report(NOON));
    expect(count(once, report(NOON))).toBe(once);
    const more = count(once, report(NOON, { onlinePlayerCount: 3 }));
    expect(count(more, report(NOON))).toBe(more);
    expect(pointsOf(more, "1d", NOON)).toMatchObject([{ onlinePlayerCount: 1, peakPlayers: 3 }]);
  });

  it.each([
    ["behind", -3_000 * DAY],
    ["ahead", 3_000 * DAY],
  ])("lose, while a clock is %s, no more than the reports of that time", (_where, off) => {
    const days = Array.from({ length: 365 }, (_, i) => report(NOON + i * DAY));
    const wrong = [0, 1, 2].map(i => report(NOON + 364 * DAY + off + i * DAY));
    const rollups = counted(...days, ...wrong, report(NOON + 365 * DAY));
    const points = pointsOf(rollups, "365d", NOON + 365 * DAY).filter(({ tps }) => tps !== null);
    expect(points.length).toBeGreaterThanOrEqual(365 - wrong.length);
    const after = Array.from({ length: 3 }, (_, i) => report(NOON + (366 + i) * DAY));
    const days365 = after.reduce(count, rollups).buckets["365d"];
    expect(days365).toHaveLength(365);
    expect(days365.map(({ slot }) => slot * DAY > NOON && slot * DAY < NOON + 400 * DAY)).not.toContain(
      false,
    );
  });

  const anyReport = fc.record({
    ms: fc.oneof(
      fc.integer({ min: 1, max: 20_000 }),
      fc.integer({ min: 1, max: 3_600_000 }),
      fc.integer({ min: 1, max: 20 * DAY }),
    ),
    tps: fc.integer({ min: 0, max: 2_000 }).map(one => one / 100),
    onlinePlayerCount: fc.nat(200),
    memoryUsedMB: fc.option(fc.nat(1_000_000)),
    cpuUsage: fc.option(fc.integer({ min: 0, max: 10_000 }).map(one => one / 100)),
  });

  it("equal averages over all stored reports", () => {
    fc.assert(
      fc.property(fc.array(anyReport, { maxLength: 80 }), fc.nat(DAY), (steps, later) => {
        let at = NOON;
        const reports = steps.map(({ ms, ...rest }) => {
          at += ms;
          return { at, ...rest, freshMs: FRESH };
        });
        const rollups = counted(...reports);
        for (const span of LONG_SPANS)
          expect(pointsOf(rollups, span, at + later)).toEqual(plainly(reports, span, at + later));
      }),
    );
  });

  it("are bounded, in order and valid, for any change of the clock", () => {
    const step = fc.tuple(anyReport, fc.oneof(fc.constant(1), fc.constant(-1)));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        let [at, rollups] = [NOON, NO_ROLLUPS];
        for (const [{ ms, ...rest }, way] of steps) {
          at += way * ms;
          rollups = count(rollups, { at, ...rest, freshMs: FRESH });
        }
        for (const span of LONG_SPANS) {
          const buckets = rollups.buckets[span].map(({ slot }) => slot);
          expect(buckets).toEqual([...new Set(buckets)].sort((a, b) => a - b));
          expect(buckets.length).toBeLessThanOrEqual(LONG[span].points);
          const points = pointsOf(rollups, span, at);
          expect(points.length).toBeLessThanOrEqual(LONG[span].points);
          for (const { tps, peakPlayers } of points) {
            expect((tps ?? 0) >= 0 && (tps ?? 0) <= 20).toBe(true);
            expect((tps === null) === (peakPlayers === null)).toBe(true);
          }
        }
      }),
    );
  });
});

describe("the time online", () => {
  const online = (rollups: Rollups): unknown[] =>
    pointsOf(rollups, "1d", NOON + 10 * MINUTE).map(({ onlineMs }) => onlineMs);

  it("is the time between reports, except gaps longer than a report counts", () => {
    const reports = [0, 5, 10, 25, 41, 46].map(seconds => report(NOON + seconds * 1_000));
    expect(online(counted(...reports))).toEqual([30_000, 0, 0]);
    expect(online(counted(...reports, report(NOON + 46_000)))).toEqual([30_000, 0, 0]);
  });

  it("is at most the interval, and zero if the clock was set back", () => {
    const all = Array.from({ length: 61 }, (_, i) => report(NOON + i * 5_000 - 3_000));
    expect(online(counted(...all, report(NOON + 299_000)))).toEqual([0, 5 * MINUTE, 0, 0]);
    expect(online(counted(report(NOON + MINUTE), report(NOON - 2 * MINUTE), report(NOON)))).toEqual([
      0, 0, 0, 0,
    ]);
  });

  it("is unknown if part of the bucket was recorded without it", () => {
    const totals = readTotals("1 2000 1 512 1 1250 1 1");
    expect(totals?.[8]).toBeUndefined();
    const buckets = {
      ...NO_ROLLUPS.buckets,
      "1d": [{ slot: NOON / (5 * MINUTE), totals: totals ?? totalsOf(report(NOON)) }],
    };
    const rollups = count({ last: NOON, buckets }, report(NOON + 5_000));
    expect(online(rollups)).toEqual([null, 0, 0]);
    expect(writeTotals(rollups.buckets["1d"][0]?.totals ?? totalsOf(report(NOON)))).toBe(
      "2 4000 2 1024 2 2500 2 1",
    );
  });
});

describe("totals", () => {
  it("are stored as nine numbers, and anything else is rejected", () => {
    const totals = totalsOf(report(NOON, { tps: 19.99 }));
    expect(writeTotals(totals)).toBe("1 1999 1 512 1 1250 1 1 0");
    expect(readTotals(writeTotals(totals))).toEqual(totals);
    for (const other of [
      "",
      "{",
      "1 2 3",
      "0 0 0 0 0 0 0 0",
      "1 1 1 1 1 1 1 -1",
      "1 1 1 1 1 1 1 1 1 1",
      "1 1 1 1 1 1 1 x",
    ])
      expect([other, readTotals(other)]).toEqual([other, undefined]);
  });
});

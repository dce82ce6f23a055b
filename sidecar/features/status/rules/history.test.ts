import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { HistoryPoint } from "../../../../client/types.ts";
import { addPoint, gapAt, HISTORY_MS, HISTORY_POINTS, historyIntervalMs, isGap } from "./history.ts";

const INTERVAL = 5_000;
const at = (ms: number, tps = 20): HistoryPoint => ({
  at: ms,
  tps,
  onlinePlayerCount: 1,
  memoryUsedMB: 512,
  cpuUsage: null,
});
const historyOf = (...points: HistoryPoint[]): readonly HistoryPoint[] =>
  points.reduce<readonly HistoryPoint[]>((history, point) => addPoint(history, point, INTERVAL), []);

describe("the history", () => {
  it("keeps one point per interval", () => {
    const times = historyOf(at(0), at(1_000), at(4_999), at(5_000), at(9_000), at(11_000)).map(
      point => point.at,
    );
    expect(times).toEqual([0, 5_000, 11_000]);
  });

  it("has as many points as an hour of refresh intervals, and no more than 720", () => {
    expect(historyIntervalMs(100)).toBe(5_000);
    expect(historyIntervalMs(5_000)).toBe(5_000);
    expect(historyIntervalMs(60_000)).toBe(60_000);
    const points = Array.from({ length: 2_000 }, (_, i) => at(i * INTERVAL));
    expect(historyOf(...points)).toHaveLength(720);
  });

  it("marks an absence once, at its start", () => {
    const history = historyOf(at(0), gapAt(16_000), gapAt(21_000), gapAt(26_000), at(30_000));
    expect(history).toEqual([at(0), gapAt(16_000), at(30_000)]);
  });

  it("marks a time without readers", () => {
    expect(historyOf(at(0), at(15_000))).toHaveLength(2);
    expect(historyOf(at(0), at(15_001))).toEqual([at(0), gapAt(5_000), at(15_001)]);
  });

  it("drops points in the future of a clock that was set back", () => {
    expect(historyOf(at(100_000), at(105_000), at(101_000), at(40_000))).toEqual([at(40_000)]);
  });

  it("is the same list when nothing changes", () => {
    const history = historyOf(at(0));
    expect(addPoint(history, at(1_000), INTERVAL)).toBe(history);
  });

  it("stays ordered, within an hour, bounded and without needless gaps", () => {
    const step = fc.record({
      ms: fc.oneof(
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: -HISTORY_MS, max: 2 * HISTORY_MS }),
      ),
      gap: fc.boolean(),
    });
    const interval = fc.integer({ min: 100, max: HISTORY_MS }).map(historyIntervalMs);
    fc.assert(
      fc.property(interval, fc.array(step, { maxLength: 60 }), (intervalMs, steps) => {
        let history: readonly HistoryPoint[] = [];
        let now = 1e12;
        for (const { ms, gap } of steps) {
          now += ms;
          history = addPoint(history, gap ? gapAt(now) : at(now), intervalMs);
          const times = history.map(point => point.at);
          expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
          expect(history.length).toBeLessThanOrEqual(HISTORY_POINTS);
          for (const time of times) expect(time > now - HISTORY_MS && time <= now).toBe(true);
          if (history[0]) expect(isGap(history[0])).toBe(false);
          for (const [i, point] of history.entries()) {
            const next = history[i + 1];
            if (next) expect(isGap(point) && isGap(next)).toBe(false);
          }
          const visible = history
            .filter(point => !isGap(point))
            .map(point => Math.floor(point.at / intervalMs));
          expect(new Set(visible).size).toBe(visible.length);
        }
      }),
    );
  });
});

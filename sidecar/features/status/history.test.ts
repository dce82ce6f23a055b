import { describe, expect, it } from "@jest/globals";
import type { HistoryPoint } from "../../../shared/public/game-server.ts";
import { ManualClock } from "../../../test/helpers/clock.ts";
import { createTestApp, FIGURES, type TestApp, type TestAppOptions } from "../../../test/helpers/test-app.ts";
import type { HistoryStore } from "./records.ts";
import { count, LONG_SPANS, NO_ROLLUPS, type Rollups, type Totals } from "./rules/rollups.ts";

const figures = { tps: 20, memoryUsedMB: FIGURES.memoryUsedMB, cpuUsage: FIGURES.cpuUsage };

describe("the plots of the last hour", () => {
  it("are empty until a game server reports, and have a point for each interval from then on", async () => {
    const app = await createTestApp();
    const { data } = app.server.history;
    expect(data()).toEqual({ intervalMs: 5_000, points: [] });
    await app.begin("Steve");
    const start = app.clock.now();
    const first = data();
    await app.later(4_999, "Steve", "Alex");
    expect(data()).toBe(first);
    await app.later(1, "Steve", "Alex");
    expect(data().points).toEqual([
      { at: start, ...figures, onlinePlayerCount: 1 },
      { at: start + 5_000, ...figures, onlinePlayerCount: 2 },
    ]);
  });

  it("have null for unavailable process figures", async () => {
    const unmeasured = { memoryUsedMB: 0, memoryMaxMB: 0, cpuUsage: -1 };
    const { server } = await createTestApp({ players: ["Steve"], figures: unmeasured });
    expect(server.history.data().points).toMatchObject([{ tps: 20, memoryUsedMB: null, cpuUsage: null }]);
  });

  it("continue after a restart without a gap, and with nothing ahead of the clock", async () => {
    const stored = new Map<number, HistoryPoint>();
    const store: HistoryStore = {
      read: async () => [...stored.values()].reverse(),
      add: async (slot, point) => void stored.set(slot, point),
      rollups: async () => NO_ROLLUPS,
      count: async () => [],
    };
    const options: TestAppOptions = { stores: () => ({ history: () => store }) };
    const first = await createTestApp({ players: ["Steve"], ...options });
    await first.later(5_000, "Steve");
    stored.set(-1, { at: first.clock.now() + 60_000, ...figures, onlinePlayerCount: 9 });
    first.stop();
    first.clock.advance(5_000);
    const second = await createTestApp({ ...options, clock: first.clock });
    const tps = () => second.server.history.data().points.map(point => point.tps);
    expect(tps()).toEqual([20, 20]);
    second.clock.advance(9_999);
    expect(tps()).toEqual([20, 20]);
    second.clock.advance(5_001);
    expect(tps()).toEqual([20, 20, null]);
  });
});

describe("the plots of longer spans", () => {
  const day = ({ server }: TestApp) => server.history.rollups("1d").points;

  it("have the averages of the reports of each interval, count each report once, and are cached until one comes", async () => {
    const app = await createTestApp({ clock: new ManualClock(Date.UTC(2026, 0, 1)) });
    const { rollups } = app.server.history;
    expect(rollups("365d")).toEqual({ intervalMs: 86_400_000, points: [] });
    await app.begin("Steve");
    await app.later(5_000, "Steve", "Alex");
    const all = { ...figures, onlinePlayerCount: 1.5, peakPlayers: 2, onlineMs: 5_000 };
    for (const span of LONG_SPANS)
      expect([span, rollups(span).points]).toEqual([span, [{ at: Date.UTC(2026, 0, 1), ...all }]]);
    const before = rollups("7d");
    app.clock.advance(4_999);
    expect(rollups("7d")).toBe(before);
    await app.later(1, "Steve");
    expect(rollups("7d").points).toMatchObject([{ onlinePlayerCount: 1.33, peakPlayers: 2 }]);
  });

  it("continue stored ones, and include the counts of all processes", async () => {
    let stored: Rollups = NO_ROLLUPS;
    let all: readonly (Totals | undefined)[] = [];
    const options: TestAppOptions = {
      stores: ({ history }) => ({
        history: name => ({
          ...history(name),
          rollups: async () => stored,
          async count(report) {
            stored = count(stored, report);
            return all;
          },
        }),
      }),
    };
    const first = await createTestApp({ players: ["Steve"], ...options });
    first.stop();
    const second = await createTestApp({ ...options, clock: first.clock });
    expect(day(second)).toEqual(day(first));
    await second.pack.connect();
    all = LONG_SPANS.map(() => [4, 7_000, 12, 0, 0, 0, 0, 9, 7_000]);
    await second.later(5_000, "Steve");
    await second.quiet();
    const averages = { tps: 17.5, onlinePlayerCount: 3, memoryUsedMB: null, cpuUsage: null, peakPlayers: 9 };
    expect(day(second)).toEqual([{ at: Date.UTC(2026, 0, 1), ...averages, onlineMs: 7_000 }]);
  });
});

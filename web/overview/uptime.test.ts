import { describe, expect, it } from "@jest/globals";
import type { HistoryMean, HistoryMeans } from "../../client/index.ts";
import { busiestHour, uptimeOf } from "./uptime.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 5, 15);
const FIGURES = { tps: 20, memoryUsedMB: null, cpuUsage: null, peakPlayers: null };

const rollups = (intervalMs: number, points: Partial<HistoryMean>[]): HistoryMeans => ({
  intervalMs,
  points: points.map((one, i) => ({
    ...{ at: START + i * intervalMs, onlinePlayerCount: 0, onlineMs: intervalMs },
    ...FIGURES,
    ...one,
  })),
});
const day = (...points: Partial<HistoryMean>[]): HistoryMeans => rollups(5 * MINUTE, points);
const online = (minutes: number | null): Partial<HistoryMean> => ({
  onlineMs: minutes === null ? null : minutes * MINUTE,
});

describe("the uptime", () => {
  it("is the time online in complete intervals, since the first one if the span is longer", () => {
    expect(uptimeOf("1d", day(online(5), online(0), online(5), online(2), online(0)))).toEqual({
      share: 0.6,
      since: START,
    });
    const whole = Array.from({ length: 288 }, (_, i) => online(i % 2 === 0 ? 5 : 0));
    expect(uptimeOf("1d", day(...whole))?.since).toBeUndefined();
    expect(uptimeOf("7d", day(...whole))?.since).toBe(START);
  });

  it("is known since it is recorded, once an interval is complete", () => {
    expect(uptimeOf("1d", day(online(5), online(null), online(5), online(4), online(5)))).toEqual({
      share: 0.9,
      since: START + 10 * MINUTE,
    });
    expect(uptimeOf("1d", day(online(null), online(5)))).toBeUndefined();
    expect(uptimeOf("1d", day(online(5)))).toBeUndefined();
    expect(uptimeOf("1d", day())).toBeUndefined();
  });

  it("does not count the part of its first interval before the game server was first online", () => {
    expect(uptimeOf("1d", day(online(1), online(5), online(5)))).toEqual({
      share: 1,
      since: START + 4 * MINUTE,
    });
    expect(uptimeOf("1d", day(online(0), online(5)))).toBeUndefined();
    expect(uptimeOf("1d", day(online(0), online(0), online(5)))?.share).toBe(0);
  });
});

describe("the busiest hours", () => {
  const hourOf = (at: number): number => new Date(at).getUTCHours();
  const week = (players: (hour: number) => number | null, hours = 7 * 24): HistoryMeans =>
    rollups(
      HOUR,
      Array.from({ length: hours + 1 }, (_, i) => ({ onlinePlayerCount: players(i % 24) })),
    );

  it("are the three hours of the day with the most players, over midnight too", () => {
    expect(
      busiestHour(
        week(hour => (hour >= 18 && hour < 21 ? 5 : 1)),
        hourOf,
      ),
    ).toBe(18);
    expect(
      busiestHour(
        week(hour => ([23, 0, 1].includes(hour) ? 2 : 0)),
        hourOf,
      ),
    ).toBe(23);
  });

  it("are unknown if there were no players, or an hour was never recorded", () => {
    expect(
      busiestHour(
        week(() => 0),
        hourOf,
      ),
    ).toBeUndefined();
    expect(
      busiestHour(
        week(() => 3, 20),
        hourOf,
      ),
    ).toBeUndefined();
    expect(
      busiestHour(
        week(hour => (hour === 4 ? null : 3)),
        hourOf,
      ),
    ).toBeUndefined();
  });
});

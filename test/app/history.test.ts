import { describe, expect, it } from "@jest/globals";
import type { HistoryPoint } from "../../shared/public/game.ts";
import type { HistoryStore } from "../../sidecar/ports/feed.ts";
import { FIGURES, type HouseOptions, houseWith, openHouse } from "./house.ts";

const figures = { tps: 20, memoryUsedMB: FIGURES.memoryUsedMB, cpuUsage: FIGURES.cpuUsage };

describe("the plots of the last hour", () => {
  it("are empty until a game server reports, and have a point for each interval from then on", async () => {
    const house = await openHouse();
    const { data } = house.world.history;
    expect(data()).toEqual({ intervalMs: 5_000, points: [] });
    await house.begin("Steve");
    const start = house.clock.now();
    const first = data();
    await house.later(4_999, "Steve", "Alex");
    expect(data()).toBe(first);
    await house.later(1, "Steve", "Alex");
    expect(data().points).toEqual([
      { at: start, ...figures, onlinePlayerCount: 1 },
      { at: start + 5_000, ...figures, onlinePlayerCount: 2 },
    ]);
  });

  it("have a gap where the game server was away, also while it is", async () => {
    const house = await houseWith(["Steve"]);
    const tps = () => house.world.history.data().points.map(point => point.tps);
    house.clock.advance(60_000);
    expect(tps()).toEqual([20, 20, 20, null]);
    await house.pack.snapshot("Steve");
    expect(tps()).toEqual([20, 20, 20, null, 20]);
  });

  it("have null for what cannot be seen of the process", async () => {
    const unseen = { memoryUsedMB: 0, memoryMaxMB: 0, cpuUsage: -1 };
    const { world } = await houseWith(["Steve"], { figures: unseen });
    expect(world.history.data().points).toMatchObject([{ tps: 20, memoryUsedMB: null, cpuUsage: null }]);
  });

  it("have an hour", async () => {
    const house = await houseWith(["Steve"]);
    for (let minute = 0; minute < 75; minute++) await house.later(60_000, "Steve");
    const { points } = house.world.history.data();
    expect(points[0]?.at).toBeGreaterThan(house.clock.now() - 3_600_000);
    expect(points[0]?.at).toBeLessThanOrEqual(house.clock.now() - 3_540_000);
  });

  it("go on for those who start later, with no gap of a restart, and nothing that lies ahead of the clock", async () => {
    const kept = new Map<number, HistoryPoint>();
    const store: HistoryStore = {
      read: async () => [...kept.values()].reverse(),
      add: async (slot, point) => void kept.set(slot, point),
    };
    const options: HouseOptions = { with: ({ world }) => ({ world: { ...world, history: store } }) };
    const first = await houseWith(["Steve"], options);
    await first.later(5_000, "Steve");
    kept.set(-1, { at: first.clock.now() + 60_000, ...figures, onlinePlayerCount: 9 });
    first.stop();
    first.clock.advance(5_000);
    const second = await openHouse({ ...options, clock: first.clock });
    const tps = () => second.world.history.data().points.map(point => point.tps);
    expect(tps()).toEqual([20, 20]);
    second.clock.advance(9_999);
    expect(tps()).toEqual([20, 20]);
    second.clock.advance(5_001);
    expect(tps()).toEqual([20, 20, null]);
  });
});

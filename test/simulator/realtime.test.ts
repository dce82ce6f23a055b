import { afterEach, expect, it, vi } from "vitest";
import { runRealtime } from "../../simulator/realtime.ts";
import { game } from "./helpers.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("ticks 20 times a second, slower when lagging, and not after stop", async () => {
  const simulator = await game("");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const driver = runRealtime(simulator);
  vi.advanceTimersByTime(10_000);
  expect(simulator.world.tick).toBe(200);
  driver.lag({ tps: 5 });
  vi.advanceTimersByTime(10_000);
  expect(simulator.world.tick).toBe(250);
  driver.lag({ msPerTick: 100 });
  expect(driver.tps).toBe(10);
  vi.advanceTimersByTime(1000);
  expect(simulator.world.tick).toBe(260);
  await driver.stop();
  vi.advanceTimersByTime(1000);
  expect(simulator.world.tick).toBe(260);
});

it("stops and reports when a tick throws", async () => {
  const simulator = await game("");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const caught: unknown[] = [];
  runRealtime(simulator, { onError: error => caught.push(error) });
  vi.advanceTimersByTime(100);
  simulator.dispose();
  vi.advanceTimersByTime(1000);
  expect(caught).toHaveLength(1);
  expect(() => runRealtime(simulator, { tps: 0 })).toThrow("expected ticks per second above 0");
});

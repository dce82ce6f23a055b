import { afterEach, expect, it, jest } from "@jest/globals";
import { runRealtime } from "../../lab/simulator/realtime.ts";
import { game } from "./helpers.ts";

afterEach(() => {
  jest.useRealTimers();
});

it("ticks 20 times a second, slower when lagging, and not after stop", async () => {
  const simulator = await game("");
  jest.useFakeTimers();
  const driver = runRealtime(simulator);
  jest.advanceTimersByTime(10_000);
  expect(simulator.world.tick).toBe(200);
  driver.lag(5);
  jest.advanceTimersByTime(10_000);
  expect(simulator.world.tick).toBe(250);
  driver.lag(10);
  jest.advanceTimersByTime(1000);
  expect(simulator.world.tick).toBe(260);
  await driver.stop();
  jest.advanceTimersByTime(1000);
  expect(simulator.world.tick).toBe(260);
});

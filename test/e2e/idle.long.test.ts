import { afterEach, describe, expect, it } from "@jest/globals";
import { TestBridge } from "../helpers/bridge.ts";

let bridge: TestBridge;
afterEach(() => bridge.stop());

const MINUTE_TICKS = 1_200;

describe("an idle bridge", () => {
  it("costs at most 20 small requests a minute", async () => {
    bridge = await TestBridge.start(["Steve", "Alex"]);
    await bridge.tick(100);
    const { http } = bridge.running;
    http.resetCounters();
    await bridge.tick(MINUTE_TICKS);
    expect(http.counters.total).toBeLessThanOrEqual(20);
    expect(http.counters.total).toBeGreaterThanOrEqual(12);
    expect(http.counters.inFlightMax).toBeLessThanOrEqual(2);
    expect(http.counters.largestBodyBytes).toBeLessThan(1_024);
    expect(bridge.linesWith("")).toHaveLength(1);
  });

  it("[RETRY-7] whose sidecar is away asks for it every second or two", async () => {
    bridge = await TestBridge.start(["Steve"]);
    await bridge.stopSidecar();
    await bridge.tick(300);
    const { http } = bridge.running;
    http.resetCounters();
    await bridge.tick(MINUTE_TICKS);
    expect(http.counters.total).toBeLessThan(60);
    expect(http.counters.total).toBeGreaterThan(30);
    expect(bridge.linesWith("lost the sidecar")).toHaveLength(1);
  });
});

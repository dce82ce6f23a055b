import { afterEach, describe, expect, it } from "@jest/globals";
import { MAX_BODY_BYTES } from "../../shared/limits.ts";
import { LINKS, TestBridge } from "../helpers/bridge.ts";
import { Browser } from "../helpers/browser.ts";

let bridge: TestBridge;
afterEach(() => bridge.stop());

const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i}`);

describe.each(LINKS)("over %s, a world with 100 players", over => {
  const names = numbers(100).map(i => `${"Ünïcode 名前 🙂".repeat(4)} ${i}`);

  it("is listed completely, in the order of the game, with long names in any script, also after /reload", async () => {
    bridge = new TestBridge({ over });
    await bridge.startSidecar();
    await bridge.startGame({
      net: { allowedUris: [bridge.bridgeUrl], maxBodyBytes: 65_536, maxConcurrentRequests: 3 },
    });
    await bridge.enter(...names);
    const { json } = await bridge.ask("/players");
    expect((json as { name: string }[]).map(({ name }) => name)).toEqual(names);
    expect((await bridge.ask("/status")).json).toMatchObject({ onlinePlayerCount: 100 });
    expect(new Set((json as { uuid: string }[]).map(({ uuid }) => uuid)).size).toBe(100);

    const connections = (): number => bridge.linesWith("connected to the sidecar").length;
    await bridge.until(() => connections() === 1);
    await bridge.running.reload();
    await bridge.until(() => connections() === 2);
    await bridge.tick(20);
    const uuids = (rows: unknown): string[] => (rows as { uuid: string }[]).map(({ uuid }) => uuid).sort();
    expect(uuids((await bridge.ask("/players")).json)).toEqual(uuids(json));

    const last = bridge.player(names[99] ?? "");
    const browser = await Browser.open(bridge);
    await browser.linkTo(last);
    const observer = await bridge.socket();
    await bridge.say(last.name, "hi");
    await bridge.until(() => observer.received.length > 1);
    expect(observer.received[1]?.content).toBe(`§§<${last.name}> §§hi`);

    const { counters } = bridge.running.http;
    expect(counters.largestBodyBytes).toBeLessThanOrEqual(MAX_BODY_BYTES);
    expect([counters.refused, counters.bodiesMissing]).toEqual([0, 0]);
  });
});

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

  it("[RETRY-7] whose sidecar is offline retries every second or two", async () => {
    bridge = await TestBridge.start(["Steve"]);
    await bridge.stopSidecar();
    await bridge.tick(300);
    const { http } = bridge.running;
    http.resetCounters();
    await bridge.tick(MINUTE_TICKS);
    expect(http.counters.total).toBeLessThan(60);
    expect(http.counters.total).toBeGreaterThan(30);
    expect(bridge.linesWith("lost the connection to the sidecar")).toHaveLength(1);
  });
});

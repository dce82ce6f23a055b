import { afterEach, describe, expect, it } from "@jest/globals";
import { outage } from "../../lab/simulator/faults.ts";
import { MAX_BODY_BYTES } from "../../shared/limits.ts";
import { TestBridge } from "../helpers/bridge.ts";
import { Browser } from "../helpers/browser.ts";
import { NO_RATES, Traffic } from "../helpers/traffic.ts";

let bridge: TestBridge;
afterEach(() => bridge.stop());

const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i}`);

describe("an outage of a minute", () => {
  it("costs no line of the game, keeps web lines out, and ends by itself", async () => {
    bridge = await TestBridge.start(["Steve"], { yaml: NO_RATES });
    const steve = bridge.player("Steve");
    const [sender, observer] = [await bridge.socket(), await bridge.socket()];
    const traffic = new Traffic(bridge, sender, observer);
    bridge.running.http.setFaults(outage());
    for (let i = 0; i < 24; i++) {
      traffic.chat();
      await bridge.tick(50);
    }
    expect((await bridge.ask("/status")).status).toBe(503);
    bridge.running.http.setFaults(undefined);
    const over = bridge.clock.now();
    await bridge.until(async () => (await bridge.ask("/status")).status === 200);
    expect(bridge.clock.now() - over).toBeLessThanOrEqual(16_000);
    await bridge.until(() => traffic.heardFromGame().length >= 24);
    await bridge.tick(60);
    expect(traffic.heardFromGame()).toEqual(traffic.fromGame);
    // The first line may have gone out with the request that was open when the network went.
    expect(traffic.shownInGame().length).toBeLessThanOrEqual(1);
    expect(traffic.shownInGame().length + traffic.failures()).toBeGreaterThanOrEqual(24);
    sender.say("again");
    await bridge.until(() => steve.chat.includes("§7[Web]§r <Guest> again"));
    expect(bridge.linesWith("lost the sidecar")).toHaveLength(1);
    expect(bridge.linesWith("connected to the sidecar")).toHaveLength(2);
    expect(bridge.linesWith("dropped")).toEqual([]);
  });
});

describe("a burst", () => {
  it("of 200 lines of game chat in one tick arrives whole and in order", async () => {
    bridge = await TestBridge.start(["Steve"]);
    const observer = await bridge.socket();
    for (const line of numbers(200)) bridge.player("Steve").say(line);
    await bridge.until(() => observer.received.length > 200);
    await bridge.tick(20);
    const heard = observer.received.slice(1).map(({ content }) => content);
    expect(heard).toEqual(numbers(200).map(line => `§§<Steve> §§${line}`));
  });
});

describe("a world with 100 players", () => {
  const names = numbers(100).map(i => `${"Ünïcode 名前 🙂".repeat(4)} ${i}`);

  it("is listed whole, in the order of the game, with long names in any script", async () => {
    bridge = new TestBridge();
    await bridge.startSidecar();
    await bridge.startGame({
      net: { allowedUris: [bridge.bridgeUrl], maxBodyBytes: 65_536, maxConcurrentRequests: 3 },
    });
    await bridge.enter(...names);
    const { json } = await bridge.ask("/players");
    expect((json as { name: string }[]).map(({ name }) => name)).toEqual(names);
    expect((await bridge.ask("/status")).json).toMatchObject({ onlinePlayerCount: 100 });
    expect(new Set((json as { uuid: string }[]).map(({ uuid }) => uuid)).size).toBe(100);

    const last = bridge.player(names[99] ?? "");
    const browser = await Browser.open(bridge);
    await browser.linkTo(last);
    const observer = await bridge.socket();
    last.say("hi");
    await bridge.until(() => observer.received.length > 1);
    expect(observer.received[1]?.content).toBe(`§§<${last.name}> §§hi`);

    const { counters } = bridge.running.http;
    expect(counters.largestBodyBytes).toBeLessThanOrEqual(MAX_BODY_BYTES);
    expect([counters.refused, counters.bodiesMissing]).toEqual([0, 0]);
  });
});

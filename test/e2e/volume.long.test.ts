import { afterEach, describe, expect, it } from "@jest/globals";
import { outage } from "../../lab/simulator/faults.ts";
import { MAX_BODY_BYTES } from "../../shared/limits.ts";
import { TestBridge } from "../helpers/bridge.ts";
import { Browser } from "../helpers/browser.ts";
import { ADMIN_KEY } from "../helpers/sidecar.ts";
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

  it("[FACT-11] keeps whoever came and went meanwhile right", async () => {
    bridge = await TestBridge.start(["Steve", "Alex"]);
    bridge.running.http.setFaults(outage());
    await bridge.tick(100);
    bridge.player("Steve").leave();
    bridge.join("Noor");
    await bridge.tick(1_100);
    bridge.running.http.setFaults(undefined);
    await bridge.until(async () => (await bridge.ask("/players")).status === 200);
    const listed = async (): Promise<string> => {
      const { json } = await bridge.ask("/players");
      return (json as { name: string }[]).map(({ name }) => name).join();
    };
    await bridge.until(async () => (await listed()) === "Alex,Noor", 20);
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

  it("of 200 lines of web chat reaches the game whole and in order, spread over ticks", async () => {
    bridge = await TestBridge.start(["Steve"], { yaml: NO_RATES });
    const sender = await bridge.socket();
    for (const line of numbers(200)) sender.say(line);
    const { world } = bridge;
    await bridge.until(() => world.chat.length === 200);
    await bridge.tick(20);
    expect(world.chat.map(({ text }) => text)).toEqual(numbers(200).map(line => `§7[Web]§r <Guest> ${line}`));
    const perTick = new Map<number, number>();
    for (const { tick } of world.chat) perTick.set(tick, (perTick.get(tick) ?? 0) + 1);
    expect(Math.max(...perTick.values())).toBeLessThanOrEqual(20);
    expect(sender.unread()).toEqual([]);
  });

  it("of long lines in another script is split over requests and arrives whole", async () => {
    bridge = await TestBridge.start(["Steve"]);
    const observer = await bridge.socket();
    const lines = numbers(60).map(i => `${i} ${"名".repeat(1_000)}`);
    for (const line of lines) bridge.player("Steve").say(line);
    await bridge.until(() => observer.received.length > 60);
    expect(observer.received.slice(1).map(({ content }) => content)).toEqual(
      lines.map(line => `§§<Steve> §§${line}`),
    );
    expect(bridge.running.http.counters.largestBodyBytes).toBeLessThanOrEqual(MAX_BODY_BYTES);
  });

  it("of 50 names for the allowlist puts each on it once", async () => {
    bridge = await TestBridge.start(["Steve"]);
    const headers = { "X-Service-Api-Key": ADMIN_KEY };
    const names = numbers(50).map(i => `name_${i}`);
    const add = (playerName: string) => bridge.ask("/whitelist", { headers, body: { playerName } });
    const answers = await bridge.during(Promise.all([...names, ...names].map(add)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect([...bridge.world.allowList.names].sort()).toEqual([...names].sort());
    const { json } = await bridge.askGame("/whitelist", { headers });
    expect(json).toEqual([...names].sort());
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

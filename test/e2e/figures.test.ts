import { afterEach, describe, expect, it } from "@jest/globals";
import { TestBridge } from "../helpers/bridge.ts";
import { FIGURES } from "../helpers/sidecar.ts";

const yaml = "modules.api.metrics-refresh-interval: 1s";

let bridge: TestBridge;
afterEach(() => bridge.stop());

const begin = async (...players: string[]): Promise<void> => {
  bridge = await TestBridge.start(players, { yaml });
};

interface Row {
  name: string;
  uuid: string;
  health: number;
  playtimeSeconds: number;
}
async function row(name: string): Promise<Row> {
  const { json } = await bridge.ask("/players");
  const found = (json as Row[]).find(one => one.name === name);
  if (!found) throw new Error(`${name} is not listed`);
  return found;
}
const tps = async (): Promise<number> => ((await bridge.ask("/status")).json as { tps: number }).tps;

/** Waits for two more snapshots, so that what happened before is in the last of them. */
const refreshed = (): Promise<void> => bridge.tick(45);

describe("a world that lags", () => {
  it("has the tps of the last minute, and players whose playtime counts ticks", async () => {
    await begin("Steve");
    bridge.tickMs = 200;
    await bridge.tick(350);
    expect(await tps()).toBeGreaterThan(4.8);
    expect(await tps()).toBeLessThan(5.5);
    const { playtimeSeconds } = await row("Steve");
    expect(playtimeSeconds).toBeGreaterThanOrEqual(15);
    expect(playtimeSeconds).toBeLessThanOrEqual(20);
    bridge.tickMs = 50;
    await bridge.tick(1_250);
    expect(await tps()).toBeGreaterThan(19.5);
  });
});

describe("GET /status", () => {
  it("counts the players and shows the figures of the process", async () => {
    await begin("Steve", "Alex");
    expect((await bridge.ask("/status")).json).toMatchObject({
      status: "Online",
      onlinePlayerCount: 2,
      ...FIGURES,
    });
    bridge.player("Steve").leave();
    await bridge.until(async () => (await bridge.ask("/status")).text.includes('"onlinePlayerCount":1'), 5);
  });

  it("answers 503 once the reports have stopped for 15 s, and 200 when they are back", async () => {
    await begin("Steve");
    await bridge.stopGame("kill");
    const stopped = bridge.clock.now();
    await bridge.until(async () => (await bridge.ask("/status")).status === 503);
    expect(bridge.clock.now() - stopped).toBeGreaterThan(13_000);
    expect(bridge.clock.now() - stopped).toBeLessThan(16_500);
    for (const path of ["/status", "/players", "/readyz"]) {
      const answer = await bridge.ask(path);
      expect([answer.status, answer.headers.has("retry-after")]).toEqual([503, true]);
    }
    expect((await bridge.ask("/healthz")).status).toBe(200);
    await bridge.startGame();
    const started = bridge.clock.now();
    await bridge.enter("Steve");
    expect(bridge.clock.now() - started).toBeLessThan(5_000);
    expect((await bridge.ask("/readyz")).status).toBe(200);
  });
});

describe("the figures of a player", () => {
  it("are counted by whoever did it, mobs are not, and survive a crash of the game but for some playtime", async () => {
    await begin("Steve", "Alex");
    const [steve, alex] = [bridge.player("Steve"), bridge.player("Alex")];
    const ways = [{ by: alex, projectile: true, ownerOnly: true }, { by: "minecraft:zombie" }, { by: steve }];
    for (const how of ways) {
      steve.die(how);
      await bridge.tick(2);
      steve.respawn();
      await bridge.tick(2);
    }
    bridge.world.mobDies("minecraft:cow", steve);
    // Twice as long as between two saves of the world.
    await bridge.tick(800);
    await refreshed();
    const before = [await row("Steve"), await row("Alex")];
    expect(before).toMatchObject([
      { deaths: 3, playerKills: 0 },
      { deaths: 0, playerKills: 1 },
    ]);
    await bridge.stopGame("kill");
    await bridge.tick(10);
    await bridge.startGame();
    await bridge.enter("Steve", "Alex");
    for (const { playtimeSeconds, ...was } of before) {
      const now = await row(was.name);
      expect(now).toMatchObject({ ...was, health: 20 });
      expect(playtimeSeconds - now.playtimeSeconds).toBeLessThanOrEqual(40);
    }
  });

  it("count ticks played, not ticks away, and go on through /reload", async () => {
    await begin("Steve");
    const played = async (from: number, least: number, most: number): Promise<number> => {
      await refreshed();
      const { playtimeSeconds } = await row("Steve");
      expect(playtimeSeconds - from).toBeGreaterThanOrEqual(least);
      expect(playtimeSeconds - from).toBeLessThanOrEqual(most);
      return playtimeSeconds;
    };
    await bridge.tick(200);
    const before = await played(0, 10, 14);
    bridge.player("Steve").leave();
    await bridge.tick(400);
    bridge.join("Steve");
    await bridge.tick(25);
    const after = await played(before, 2, 6);
    await bridge.running.reload();
    await bridge.tick(20);
    await played(after, -20, 6);
  });

  it("show health rounded", async () => {
    await begin("Steve");
    const steve = bridge.player("Steve");
    for (const [health, shown] of [
      [13.4, 13],
      [13.5, 14],
      [0.4, 0],
      [20, 20],
    ] as const) {
      steve.health = health;
      await refreshed();
      expect((await row("Steve")).health).toBe(shown);
    }
  });
});

describe("the uuid of a player", () => {
  it.each([
    ["with", []],
    ["without", ["Player.persistentId"]],
  ])("stays the same over restarts of both sides, %s a persistentId", async (_what, omit) => {
    bridge = await TestBridge.start(["Steve", "Alex"], { yaml }, { omit });
    const before = [await row("Steve"), await row("Alex")].map(({ uuid }) => uuid);
    expect(new Set(before).size).toBe(2);
    await bridge.stopSidecar();
    await bridge.stopGame("stop");
    await bridge.startGame();
    await bridge.startSidecar();
    await bridge.enter("Alex", "Steve");
    expect([await row("Steve"), await row("Alex")].map(({ uuid }) => uuid)).toEqual(before);
  });
});

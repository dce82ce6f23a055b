import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ask } from "../helpers/client.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

let bridge: TestSidecar;
let pack: FakePack;
beforeEach(async () => {
  bridge = await startTestSidecar();
  pack = new FakePack(bridge.bridge);
  await pack.connect();
});
afterEach(() => bridge.stop());

type History = { intervalMs: number; points: { at: number; tps: number | null }[] };
const history = async (): Promise<History> => (await ask(bridge.base, "/history")).json as History;

describe("GET /history", () => {
  it("is empty before a game server has reported", async () => {
    expect(await history()).toEqual({ intervalMs: 5_000, points: [] });
  });

  it("shows what was reported, at its time", async () => {
    await pack.snapshot("Steve");
    const start = bridge.clock.now();
    bridge.clock.advance(5_000);
    await pack.snapshot("Steve", "Alex");
    const figures = { tps: 20, memoryUsedMB: 512, cpuUsage: 12.5 };
    expect((await history()).points).toEqual([
      { at: start, ...figures, onlinePlayerCount: 1 },
      { at: start + 5_000, ...figures, onlinePlayerCount: 1 },
    ]);
  });

  it("has a gap where the game server was away, also while it is", async () => {
    await pack.snapshot("Steve");
    bridge.clock.advance(60_000);
    const away = (await history()).points;
    expect(away.map(point => point.tps)).toEqual([20, 20, 20, null]);
    await pack.snapshot("Steve");
    expect((await history()).points.map(point => point.tps)).toEqual([20, 20, 20, null, 20]);
  });

  it("shows figures that are not visible as null", async () => {
    const blind = await startTestSidecar({
      figures: { memoryUsedMB: 0, memoryMaxMB: 0, cpuUsage: -1 },
    });
    const other = new FakePack(blind.bridge);
    await other.connect();
    await other.snapshot("Steve");
    const { points } = (await ask(blind.base, "/history")).json as { points: object[] };
    expect(points).toMatchObject([{ tps: 20, memoryUsedMB: null, cpuUsage: null }]);
    await blind.stop();
  });

  it("answers 304 to its own ETag and may be held for one interval", async () => {
    await pack.snapshot("Steve");
    const first = await ask(bridge.base, "/history");
    expect(first.headers.get("cache-control")).toBe("public, max-age=5");
    expect(first.headers.get("vary")).toBe("Origin");
    const known = { "If-None-Match": first.headers.get("etag") ?? "" };
    expect((await ask(bridge.base, "/history", { headers: known })).status).toBe(304);
    expect((await ask(bridge.base, "/history", { method: "HEAD" })).text).toBe("");
    bridge.clock.advance(5_000);
    await pack.snapshot("Steve");
    expect((await ask(bridge.base, "/history", { headers: known })).status).toBe(200);
  });

  it("holds an hour", async () => {
    for (let i = 0; i < 75; i++) {
      await pack.snapshot("Steve");
      bridge.clock.advance(60_000);
    }
    const { points } = await history();
    expect(points.length).toBeLessThanOrEqual(720);
    expect(points[0]?.at).toBeGreaterThan(bridge.clock.now() - 3_600_000);
  });
});

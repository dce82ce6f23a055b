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

describe("GET /history", () => {
  it("shows what was reported, at its time", async () => {
    await pack.snapshot("Steve");
    expect((await ask(bridge.base, "/history")).json).toEqual({
      intervalMs: 5_000,
      points: [{ at: bridge.clock.now(), tps: 20, onlinePlayerCount: 1, memoryUsedMB: 512, cpuUsage: 12.5 }],
    });
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
});

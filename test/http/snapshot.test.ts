import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ask } from "../helpers/client.ts";
import { FakePack, row } from "../helpers/fake-pack.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

let bridge: TestSidecar;
let pack: FakePack;
beforeEach(async () => {
  bridge = await startTestSidecar({
    env: { WEB_BRIDGE_MODULES_API_CORS_ORIGINS: "https://site.example" },
  });
  pack = new FakePack(bridge.bridge);
});
afterEach(() => bridge.stop());

const METRICS = {
  status: "Online",
  tps: 20,
  onlinePlayerCount: 1,
  memoryUsedMB: 512,
  memoryMaxMB: 4096,
  cpuUsage: 12.5,
};

// With a query a request does not take the short way, and has to get the same.
describe.each(["/status", "/status?x=1"])("GET %s", path => {
  it("shows the six metrics and nothing else", async () => {
    await pack.connect();
    await pack.snapshot("Steve");
    const answer = await ask(bridge.base, path);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual(METRICS);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  });

  it("answers 503 with Retry-After until a game server has reported", async () => {
    const answer = await ask(bridge.base, path);
    expect([answer.status, answer.json]).toEqual([503, { error: "server_unavailable" }]);
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("answers 503 from 15 s after the last report on", async () => {
    await pack.connect();
    await pack.snapshot("Steve");
    bridge.clock.advance(14_999);
    expect((await ask(bridge.base, path)).status).toBe(200);
    bridge.clock.advance(1);
    expect((await ask(bridge.base, path)).status).toBe(503);
    await pack.snapshot("Steve");
    expect((await ask(bridge.base, path)).status).toBe(200);
  });

  it("answers 304 to its own ETag and may be held for one refresh interval", async () => {
    await pack.connect();
    await pack.snapshot("Steve");
    const first = await ask(bridge.base, path);
    const etag = first.headers.get("etag") ?? "";
    expect(first.headers.get("cache-control")).toBe("public, max-age=5");
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await ask(bridge.base, path, { headers: { "If-None-Match": known } });
      expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
    }
    await pack.snapshot("Steve", "Alex");
    const changed = await ask(bridge.base, path, { headers: { "If-None-Match": etag } });
    expect(changed.status).toBe(200);
  });

  it("answers HEAD with the headers of GET", async () => {
    await pack.connect();
    await pack.snapshot("Steve");
    const get = await ask(bridge.base, path);
    const head = await ask(bridge.base, path, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.get("content-length")).toBe(`${get.text.length}`);
  });

  it("lets a listed origin read it and refuses another", async () => {
    await pack.connect();
    await pack.snapshot("Steve");
    const listed = await ask(bridge.base, path, { headers: { Origin: "https://site.example" } });
    expect(listed.status).toBe(200);
    expect(listed.headers.get("access-control-allow-origin")).toBe("https://site.example");
    expect(listed.headers.get("access-control-allow-credentials")).toBe("true");
    expect(listed.headers.get("vary")).toMatch(/\bOrigin\b/);
    const other = await ask(bridge.base, path, { headers: { Origin: "https://evil.example" } });
    expect([other.status, other.json]).toEqual([403, { error: "origin_not_allowed" }]);
    expect(other.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("GET /players", () => {
  it("shows each online player with the six fields", async () => {
    await pack.connect();
    await pack.snapshot("Steve", "Alex");
    const players = (await ask(bridge.base, "/players")).json as { uuid: string }[];
    expect(players).toMatchObject([
      { name: "Steve", health: 20, deaths: 1, playerKills: 2, playtimeSeconds: 3 },
      { name: "Alex" },
    ]);
    expect(Object.keys(players[0] ?? {})).toHaveLength(6);
    for (const { uuid } of players)
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("is an empty list when nobody is online", async () => {
    await pack.connect();
    await pack.snapshot();
    expect((await ask(bridge.base, "/players")).text).toBe("[]");
  });

  it("leaves no trace of a hidden player in the entity tag of the list", async () => {
    await pack.connect();
    const tag = async (...rows: ReturnType<typeof row>[]): Promise<string | null> => {
      await pack.report({ is: "snapshot", tps: 20, part: 0, parts: 1, rows });
      return (await ask(bridge.base, "/players")).headers.get("etag");
    };
    const before = await tag(row("Alex"));
    expect(await tag(row("Steve", { hidden: true }), row("Alex"))).toBe(before);
    expect(await tag(row("Steve", { hidden: true, health: 3 }), row("Alex"))).toBe(before);
  });
});

describe("health", () => {
  it("is up without a game server and ready with one", async () => {
    expect((await ask(bridge.base, "/healthz")).json).toEqual({ status: "ok" });
    const before = await ask(bridge.base, "/readyz");
    expect(before.status).toBe(503);
    expect(before.json).toMatchObject({ status: "unavailable" });
    await pack.connect();
    await pack.snapshot();
    const after = await ask(bridge.base, "/readyz");
    expect([after.status, after.json]).toEqual([200, { status: "ready" }]);
  });
});

import { beforeEach, describe, expect, it } from "@jest/globals";
import { errorBody } from "../../../test/helpers/errors.ts";
import { row } from "../../../test/helpers/fake-pack.ts";
import { serving } from "../../../test/helpers/serving.ts";
import { FIGURES } from "../../../test/helpers/sidecar.ts";

const SITE = "https://site.example";

const side = serving();
beforeEach(() => side.api(`cors-origins: ["${SITE}"]`));

// With a query a request does not take the short way, and has to get the same.
describe.each(["/status", "/status?x=1"])("GET %s", path => {
  const status = async (): Promise<number> => (await side.ask(path)).status;

  it("shows the six metrics and nothing else", async () => {
    await side.online("Steve");
    const answer = await side.ask(path);
    const metrics = { status: "Online", tps: 20, onlinePlayerCount: 1, ...FIGURES };
    expect([answer.status, answer.json]).toEqual([200, metrics]);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  });

  it("responds 503 with Retry-After until a game server has reported, and from 15 s after the last report", async () => {
    const answer = await side.ask(path);
    expect([answer.status, answer.json]).toEqual([503, errorBody("server_unavailable")]);
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    await side.online("Steve");
    side.clock.advance(14_999);
    expect(await status()).toBe(200);
    side.clock.advance(1);
    expect(await status()).toBe(503);
    await side.online("Steve");
    expect(await status()).toBe(200);
  });
});

describe.each(["/status", "/status?x=1", "/history", "/history?for=1d"])("GET %s", path => {
  it("responds 304 to its ETag and to HEAD with the headers of GET, and is cacheable for one refresh interval", async () => {
    await side.online("Steve");
    const { headers, text } = await side.ask(path);
    const etag = headers.get("etag") ?? "";
    expect([headers.get("cache-control"), headers.get("vary")]).toEqual(["public, max-age=5", "Origin"]);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await side.ask(path, { headers: { "If-None-Match": known } });
      expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
    }
    const head = await side.ask(path, { method: "HEAD" });
    expect([head.status, head.text, head.headers.get("content-length")]).toEqual([200, "", `${text.length}`]);
    side.clock.advance(5_000);
    await side.online("Steve", "Alex");
    expect((await side.ask(path, { headers: { "If-None-Match": etag } })).status).toBe(200);
  });
});

describe("GET /history", () => {
  it("shows reported values at their time", async () => {
    await side.online("Steve");
    const { memoryUsedMB, cpuUsage } = FIGURES;
    expect((await side.ask("/history")).json).toEqual({
      intervalMs: 5_000,
      points: [{ at: side.clock.now(), tps: 20, onlinePlayerCount: 1, memoryUsedMB, cpuUsage }],
    });
  });

  it.each([
    ["1d", 300_000],
    ["7d", 1_800_000],
    ["30d", 7_200_000],
    ["365d", 86_400_000],
  ])("returns averages with for=%s, even without a game server", async (span, intervalMs) => {
    const path = `/history?for=${span}`;
    expect(await side.said(path)).toEqual([200, { intervalMs, points: [] }]);
    await side.online("Steve");
    side.clock.advance(5_000);
    await side.online("Steve", "Alex");
    const { memoryUsedMB, cpuUsage } = FIGURES;
    const at = Math.floor(side.clock.now() / intervalMs) * intervalMs;
    const averages = {
      tps: 20,
      onlinePlayerCount: 1.5,
      memoryUsedMB,
      cpuUsage,
      peakPlayers: 2,
      onlineMs: 5_000,
    };
    expect(await side.said(path)).toEqual([200, { intervalMs, points: [{ at, ...averages }] }]);
    expect((await side.ask(`${path}&_=1`)).headers.get("etag")).toBe(
      (await side.ask(path)).headers.get("etag"),
    );
  });

  it.each([
    "for=",
    "for=2h",
    "for=1D",
    "for=1d%20",
    "for=1d&for=1d",
    "for=1h&for=",
    "for=%",
    "for=366d",
    "for",
    "x=1d",
    "For=1d",
    "for=1h&search=x",
  ])("rejects %s", async query => {
    const refused = [400, errorBody("invalid_query")];
    expect(await side.said(`/history?${query}`)).toEqual(refused);
  });
});

describe("GET /players", () => {
  it("has the same ETag with and without a hidden player", async () => {
    await side.pack.connect();
    const tag = async (...rows: ReturnType<typeof row>[]): Promise<string | null> => {
      await side.pack.report({ is: "snapshot", tps: 20, part: 0, parts: 1, rows });
      return (await side.ask("/players")).headers.get("etag");
    };
    const before = await tag(row("Alex"));
    expect(await tag(row("Steve", { hidden: true }), row("Alex"))).toBe(before);
    expect(await tag(row("Steve", { hidden: true, health: 3 }), row("Alex"))).toBe(before);
  });
});

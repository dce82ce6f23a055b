import { beforeEach, describe, expect, it } from "@jest/globals";
import { MAX_BODY_BYTES } from "../../../shared/limits.ts";
import { PRODUCT_VERSION } from "../../../shared/version.ts";
import { FakePack, hello } from "../../../test/helpers/fake-pack.ts";
import { createMemoryStore } from "../../../test/helpers/memory-store.ts";
import { serving } from "../../../test/helpers/serving.ts";
import { TOKEN } from "../../../test/helpers/sidecar.ts";

// Own connections: speaks to the bridge listener, which is not public.

const side = serving();
const { pack } = side;
beforeEach(() => side.start());

const LOBBY = "another-token-of-the-bridge-012345";
const raw = (path: string, init: RequestInit) => fetch(`${side.bridge}${path}`, init);
const WITH_TOKEN = { headers: { Authorization: TOKEN } };

describe("the bridge listener", () => {
  it.each<[string, Record<string, string>]>([
    ["no token", {}],
    ["an empty token", { Authorization: "" }],
    ["a wrong token", { Authorization: `${TOKEN}x` }],
    ["the token in another case", { Authorization: TOKEN.toUpperCase() }],
    ["the token in another header", { "X-Bridge-Token": TOKEN }],
  ])("[HTTP-2] answers 401 to %s on every path", async (_what, headers) => {
    for (const path of ["/bridge/hello", "/bridge/poll", "/bridge/facts", "/bridge/status", "/nothing"]) {
      const response = await raw(path, { method: "POST", headers, body: "{}" });
      expect([response.status, await response.json()]).toEqual([401, { error: "unauthorized" }]);
    }
    expect(side.log.text).not.toContain(TOKEN);
  });

  it("[HTTP-2] also accepts the token after `Bearer`", async () => {
    expect(await new FakePack(side.bridge, `Bearer ${TOKEN}`).connect()).toHaveProperty("session");
  });

  it("is not reachable through the public listener", async () => {
    expect((await new FakePack(side.base).post("/bridge/hello", hello())).status).toBe(404);
  });

  it.each([
    ["no JSON", "{"],
    ["an array", "[]"],
    ["an empty body", ""],
    ["a missing property", { run: "x" }],
    ["a wrong type", { ...hello(), wire: "1" }],
    ["an invalid version", { ...hello(), wire: 0.5, wireOldest: 0.5 }],
    ["a run that is too long", { ...hello(), run: "x".repeat(65) }],
  ])("[HTTP-3] answers 400 to %s, names the place, and changes nothing", async (_what, body) => {
    const reply = await pack.post<{ error: string; detail: string }>("/bridge/hello", body);
    expect([reply.status, reply.body.error]).toEqual([400, "invalid_message"]);
    expect(reply.body.detail).toMatch(/^body.*expected/);
    expect(side.log.of("warn")).toHaveLength(1);
  });

  it("[HTTP-1] accepts JSON only with its content type", async () => {
    const headers = { Authorization: TOKEN, "Content-Type": "text/plain" };
    const response = await raw("/bridge/hello", { method: "POST", headers, body: JSON.stringify(hello()) });
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: "invalid_message", detail: "body: expected a JSON object, sent as application/json" },
    ]);
  });

  it("[REFUSE-3] answers 500 to an internal error, and identifies it in the log", async () => {
    const open = () => Promise.reject(new Error("no disk"));
    await side.start({ store: { ...createMemoryStore(), open } });
    const reply = await pack.post<{ error: string; detail: string }>("/bridge/hello", hello());
    expect([reply.status, reply.body.error]).toEqual([500, "unexpected_result"]);
    expect(side.log.text).toContain(reply.body.detail);
  });

  it("[LIMIT-2] answers 413 to a body over the limit", async () => {
    const reply = await pack.post("/bridge/hello", " ".repeat(MAX_BODY_BYTES + 1));
    expect(reply).toEqual({ status: 413, body: { error: "body_too_large" } });
  });

  it.each([
    ["/bridge/poll", "GET", "POST"],
    ["/bridge/status", "POST", "GET"],
  ])(
    "[HTTP-1] [HTTP-6] answers 405 to another method, and 404 to another path: %s",
    async (path, method, allow) => {
      const wrong = await raw(path, { method, ...WITH_TOKEN });
      expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, allow]);
      expect((await raw("/bridge/nothing", { method, ...WITH_TOKEN })).status).toBe(404);
    },
  );

  it("[HTTP-6] returns with the token what runs, and since when", async () => {
    const startedAt = side.clock.now();
    side.clock.advance(5_000);
    expect(await (await raw("/bridge/status", WITH_TOKEN)).json()).toEqual({
      version: PRODUCT_VERSION,
      startedAt,
    });
  });

  it("[HTTP-6] returns with a token which of several game servers it belongs to", async () => {
    await side.start({ yaml: `servers: [{name: lobby, token: "${LOBBY}"}]` });
    const of = async (token: string): Promise<unknown> =>
      (await raw("/bridge/status", { headers: { Authorization: token } })).json();
    expect(await of(TOKEN)).toMatchObject({ server: "main" });
    expect(await of(LOBBY)).toMatchObject({ server: "lobby" });
  });
});

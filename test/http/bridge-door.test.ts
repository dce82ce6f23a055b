import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { MAX_BODY_BYTES } from "../../shared/limits.ts";
import { PRODUCT_VERSION } from "../../shared/version.ts";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { FakePack, hello } from "../helpers/fake-pack.ts";
import { createMemoryStore } from "../helpers/memory-store.ts";
import { startTestSidecar, type TestSidecar, TOKEN } from "../helpers/sidecar.ts";

// Own connections: speaks to the bridge listener, which is not public.

let bridge: TestSidecar;
let pack: FakePack;
beforeEach(async () => {
  bridge = await startTestSidecar();
  pack = new FakePack(bridge.bridge);
});
afterEach(() => bridge.stop());

const raw = (path: string, init: RequestInit) => fetch(`${bridge.bridge}${path}`, init);

describe("the bridge listener", () => {
  it.each([
    ["no token", {}],
    ["an empty token", { Authorization: "" }],
    ["a wrong token", { Authorization: `${TOKEN}x` }],
    ["the token in another case", { Authorization: TOKEN.toUpperCase() }],
    ["the token in another header", { "X-Bridge-Token": TOKEN }],
  ])("[HTTP-2] answers 401 to %s, whatever the path", async (_what, headers) => {
    for (const path of ["/bridge/hello", "/bridge/poll", "/bridge/facts", "/nothing"]) {
      const response = await raw(path, {
        method: "POST",
        headers: headers as Record<string, string>,
        body: "{}",
      });
      expect([response.status, await response.json()]).toEqual([401, { error: "unauthorized" }]);
    }
    expect(bridge.log.text).not.toContain(TOKEN);
  });

  it("[HTTP-2] takes the token after `Bearer` too", async () => {
    const bearer = new FakePack(bridge.bridge, `Bearer ${TOKEN}`);
    expect(await bearer.connect()).toHaveProperty("session");
  });

  it("is not reachable through the public listener", async () => {
    const { port } = bridge.sidecar.publicAddress;
    const through = new FakePack(`http://127.0.0.1:${port}`);
    expect((await through.post("/bridge/hello", hello())).status).toBe(404);
  });

  it.each([
    ["no JSON", "{"],
    ["an array", "[]"],
    ["an empty body", ""],
    ["a missing property", { run: "x" }],
    ["a wrong type", { ...hello(), wire: "1" }],
    ["a version that is none", { ...hello(), wire: 0.5, wireOldest: 0.5 }],
    ["a run that is too long", { ...hello(), run: "x".repeat(65) }],
  ])("[HTTP-3] answers 400 to %s, names the place, and changes nothing", async (_what, body) => {
    const reply = await pack.post<{ error: string; detail: string }>("/bridge/hello", body);
    expect(reply.status).toBe(400);
    expect(reply.body.error).toBe("invalid_message");
    expect(reply.body.detail).toMatch(/^body.*expected/);
    expect(bridge.log.of("warn")).toHaveLength(1);
  });

  it("[HTTP-1] takes JSON only where it is sent as such", async () => {
    const headers = { Authorization: TOKEN, "Content-Type": "text/plain" };
    const response = await raw("/bridge/hello", { method: "POST", headers, body: JSON.stringify(hello()) });
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: "invalid_message", detail: "body: expected a JSON object, sent as application/json" },
    ]);
  });

  it("[REFUSE-3] answers 500 to a fault of its own, and names it in the log", async () => {
    const store = Object.assign(createMemoryStore(), { open: () => Promise.reject(new Error("no disk")) });
    const side = await startTestSidecar({ store });
    const reply = await new FakePack(side.bridge).post<{ error: string; detail: string }>(
      "/bridge/hello",
      hello(),
    );
    expect([reply.status, reply.body.error]).toEqual([500, "unexpected_result"]);
    expect(side.log.text).toContain(reply.body.detail);
    await side.stop();
  });

  it("[LIMIT-2] answers 413 to a body over the limit", async () => {
    const reply = await pack.post("/bridge/hello", " ".repeat(MAX_BODY_BYTES + 1));
    expect([reply.status, reply.body]).toEqual([413, { error: "body_too_large" }]);
  });

  it("[HTTP-1] answers 404 and 405 like any listener", async () => {
    const headers = { Authorization: TOKEN };
    expect((await raw("/bridge/nothing", { method: "POST", headers, body: "{}" })).status).toBe(404);
    const wrong = await raw("/bridge/poll", { headers });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("[VER-2] answers 426 to a pack of the future, with the side to update", async () => {
    const body = { error: "wire_mismatch", product: PRODUCT_VERSION, update: "sidecar" };
    const future = { ...hello(), wire: 9, wireOldest: 9 };
    expect(await pack.post("/bridge/hello", future)).toEqual({ status: 426, body });
  });

  it("[SESSION-3] [SESSION-12] answers 409 to a session that was replaced, with the world that has it now", async () => {
    await pack.connect();
    await pack.post("/bridge/hello", { ...hello("other"), world: { id: "w2", name: "Two" } });
    const replaced = { status: 409, body: { error: "session_replaced", detail: "world: Two" } };
    expect(await pack.post("/bridge/poll", { session: pack.session, after: 0 })).toEqual(replaced);
    const facts = { session: pack.session, after: 0, first: 1, facts: [] };
    expect(await pack.post("/bridge/facts", facts)).toEqual(replaced);
  });

  it("[HTTP-3] refuses a frame with one bad fact as a whole", async () => {
    await pack.connect();
    const socket = await ChatSocket.open(bridge.base);
    const good = { is: "said", name: "S", text: "a" };
    const facts = [good, { is: "said", name: 1 }];
    const reply = await pack.post("/bridge/facts", { session: pack.session, after: 0, first: 1, facts });
    expect(reply.body).toMatchObject({ detail: expect.stringContaining("body.facts[1].name") });
    expect(await socket.settled()).toEqual([]);
    socket.ws.terminate();
  });

  it("shows its figures to a scraper on the same machine", async () => {
    await pack.connect();
    await pack.snapshot("Steve");
    const response = await raw("/metrics", {});
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toContain("web_bridge_game_connected 1");
    expect(text).toContain("web_bridge_game_players 1");
  });
});

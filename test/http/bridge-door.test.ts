import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { MAX_BODY_BYTES } from "../../shared/limits.ts";
import { createMemoryStore } from "../../sidecar/store/memory.ts";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { FakePack, hello } from "../helpers/fake-pack.ts";
import { startTestSidecar, type TestSidecar, TOKEN } from "../helpers/sidecar.ts";

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

  it.each([
    ["a pack that is too old", { wire: 0.5, wireOldest: 0.5 }, 400, undefined],
    ["a pack of the future", { wire: 9, wireOldest: 9 }, 426, "sidecar"],
  ])("[VER-2] refuses %s and says which side to update", async (_what, versions, status, update) => {
    const reply = await pack.post<{ update?: string }>("/bridge/hello", { ...hello(), ...versions });
    expect([reply.status, reply.body.update]).toEqual([status, update]);
    if (update) expect(bridge.log.text).toContain(`update the ${update}`);
  });

  it("[VER-1] takes a newer pack that still understands this version", async () => {
    expect((await pack.post("/bridge/hello", { ...hello(), wire: 9, wireOldest: 1 })).status).toBe(200);
  });

  it("[SESSION-3] [SESSION-5] answers 409 to a session that it does not know, and to one that was replaced", async () => {
    const poll = (session: string) => pack.post("/bridge/poll", { session, after: 0 });
    expect(await poll("nobody")).toEqual({ status: 409, body: { error: "unknown_session" } });
    await pack.connect();
    await new FakePack(bridge.bridge).connect("other");
    expect(await poll(pack.session)).toEqual({ status: 409, body: { error: "session_replaced" } });
    const facts = { session: pack.session, after: 0, first: 1, facts: [] };
    expect((await pack.post("/bridge/facts", facts)).body).toEqual({ error: "session_replaced" });
  });

  it("[POLL-2] holds a poll for 20 s when there is nothing to do", async () => {
    await pack.connect();
    const polled = pack.take();
    let answered = false;
    void polled.then(() => {
      answered = true;
    });
    await pack.snapshot();
    bridge.clock.advance(19_999);
    await pack.snapshot();
    expect(answered).toBe(false);
    bridge.clock.advance(1);
    expect(await polled).toEqual([]);
  });

  it("[FACT-3] [FACT-4] deals with facts once and in order, however often a frame is repeated", async () => {
    await pack.connect();
    const socket = await ChatSocket.open(bridge.base);
    const said = (text: string) => ({ is: "said", name: "S", text });
    const frame = (first: number, ...texts: string[]) =>
      pack.post<{ received: number }>("/bridge/facts", {
        session: pack.session,
        after: 0,
        first,
        facts: texts.map(said),
      });
    const replies = await Promise.all([
      frame(1, "a", "b"),
      frame(1, "a", "b"),
      frame(2, "b", "c"),
      frame(1, "a"),
    ]);
    expect(replies.map(reply => reply.body.received)).toEqual([2, 2, 3, 3]);
    expect((await socket.settled()).map(message => message.content)).toEqual([
      "§§<S> §§a",
      "§§<S> §§b",
      "§§<S> §§c",
    ]);
    socket.ws.terminate();
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

  it("[ACT-1] [ACT-2] gives actions in the answer to facts too, and repeats them until they are acknowledged", async () => {
    await pack.connect();
    await pack.snapshot();
    const socket = await ChatSocket.open(bridge.base);
    socket.say("hi");
    await socket.settled();
    const first = await pack.snapshot();
    const second = await pack.snapshot();
    expect(first.body.actions).toHaveLength(1);
    expect(second.body.actions).toEqual(first.body.actions);
    pack.after = first.body.actions[0]?.seq ?? 0;
    expect((await pack.snapshot()).body.actions).toEqual([]);
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

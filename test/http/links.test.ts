import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createMemoryStore } from "../../sidecar/store/memory.ts";
import { ask, newSession } from "../helpers/client.ts";
import { FakePack, row } from "../helpers/fake-pack.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

let bridge: TestSidecar;
let pack: FakePack;
let cookie: string;
let userId: string;
beforeEach(async () => {
  bridge = await startTestSidecar();
  pack = new FakePack(bridge.bridge);
  await pack.connect();
  await pack.snapshot("Steve", "Alex");
  ({ cookie, userId } = await newSession(bridge.base));
});
afterEach(() => bridge.stop());

const steve = row("Steve").player;
const link = (username: unknown = "Steve", own = cookie) =>
  ask(bridge.base, "/link-player", { cookie: own, body: { username } });
const linked = async () => (await ask(bridge.base, "/linked-player", { cookie })).json;

/** Brings the session to `pending` and returns the id of the request. */
async function pending(player = steve): Promise<string> {
  const asked = link(player.name);
  const action = await pack.carryOut("done", { player });
  expect((await asked).status).toBe(202);
  return action.id;
}

async function answered(accepted: boolean): Promise<void> {
  await pack.report({ is: "answered", request: await pending(), accepted });
}

describe("POST /link-player", () => {
  it("asks the game for exactly this name and shows the session's first eight characters", async () => {
    const asked = link();
    const action = await pack.carryOut("done", { player: steve });
    expect(action.body).toMatchObject({ do: "link-open", username: "Steve", browser: userId.slice(0, 8) });
    const answer = await asked;
    expect([answer.status, answer.json]).toEqual([202, { status: "verification_sent" }]);
    expect(await linked()).toEqual({ status: "pending" });
  });

  it("answers 422 when nobody of that name is online, and leaves the session as it was", async () => {
    await answered(true);
    const asked = link("Nobody");
    await pack.carryOut("offline");
    const answer = await asked;
    expect([answer.status, answer.json]).toEqual([422, { error: "player_offline" }]);
    expect(await linked()).toMatchObject({ status: "accepted" });
  });

  it("answers 422 to a name that is longer than any", async () => {
    expect((await link("x".repeat(65))).status).toBe(422);
  });

  it("answers 409 while a request is open, or on its way", async () => {
    const asked = link();
    const action = (await pack.take())[0];
    const second = await link("Alex");
    expect([second.status, second.json]).toEqual([409, { status: "already_pending" }]);
    await pack.report({ is: "outcome", id: action?.id ?? "", status: "done", player: steve });
    expect((await asked).status).toBe(202);
    expect((await link("Alex")).status).toBe(409);
  });

  it.each([
    ["no JSON", "{"],
    ["an empty body", ""],
    ["an array", "[]"],
    ["null", "null"],
    ["a text", '"Steve"'],
    ["a number as username", '{"username":1}'],
    ["an object as username", '{"username":{}}'],
    ["invalid UTF-8", new Uint8Array([...Buffer.from('{"username":"'), 0xff, ...Buffer.from('"}')])],
  ])("answers invalid_body to %s", async (_what, body) => {
    const answer = await ask(bridge.base, "/link-player", { cookie, body });
    expect([answer.status, answer.json]).toEqual([400, { error: "invalid_body" }]);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16", ""])(
    "answers invalid_body to JSON sent as %j",
    async type => {
      const answer = await ask(bridge.base, "/link-player", {
        cookie,
        body: '{"username":"Steve"}',
        headers: { "Content-Type": type },
      });
      expect([answer.status, answer.json]).toEqual([400, { error: "invalid_body" }]);
    },
  );

  it.each(['{"username":null}', "{}", '{"username":""}', '{"username":" \\t"}', '{"other":1}'])(
    "answers missing_username to %s",
    async body => {
      const answer = await ask(bridge.base, "/link-player", { cookie, body });
      expect([answer.status, answer.json]).toEqual([400, { error: "missing_username" }]);
    },
  );

  it("answers 413 to a body over the limit and takes one at the limit", async () => {
    const body = (bytes: number) => `{"username":"${"x".repeat(bytes - 15)}"}`;
    expect((await ask(bridge.base, "/link-player", { cookie, body: body(16_384) })).status).toBe(422);
    const over = await ask(bridge.base, "/link-player", { cookie, body: body(16_385) });
    expect([over.status, over.json]).toEqual([413, { error: "invalid_body" }]);
  });

  it("ignores properties that it does not know", async () => {
    const asked = ask(bridge.base, "/link-player", { cookie, body: { username: "Steve", admin: true } });
    await pack.carryOut("done", { player: steve });
    expect((await asked).status).toBe(202);
  });

  it("[ACT-7] answers 500 when the pack says nothing for 10 s, and the form can no longer open", async () => {
    const asked = link();
    const [action] = await pack.take();
    bridge.clock.advance(10_000);
    const answer = await asked;
    expect([answer.status, answer.json]).toEqual([500, { error: "unexpected_result" }]);
    const requestId = answer.headers.get("x-request-id") ?? "none";
    expect(bridge.log.text).toContain(requestId);
    expect(await linked()).toEqual({ status: "not_linked" });
    expect(action?.expiresInMs).toBe(9_500);
    // The pack had it: it is told to close the form, and its late outcome changes nothing.
    expect(await pack.take()).toMatchObject([{ body: { do: "link-close", request: action?.id } }]);
    await pack.report({ is: "outcome", id: action?.id ?? "", status: "done", player: steve });
    expect(await linked()).toEqual({ status: "not_linked" });
    expect(await pack.take()).toMatchObject([{ body: { do: "link-close", request: action?.id } }]);
  });

  it("[ACT-7] never hands out a request that it has given up", async () => {
    const asked = link();
    await new Promise(setImmediate);
    while (!bridge.log.text.includes("unexpected result")) {
      bridge.clock.advance(1_000);
      await new Promise(setImmediate);
    }
    expect((await asked).status).toBe(500);
    await pack.snapshot("Steve");
    const next = link("Alex");
    expect((await pack.carryOut("offline")).body).toMatchObject({ username: "Alex" });
    await next;
  });

  it("answers 500 when the game fails, with a reason in the log only", async () => {
    const asked = link();
    await pack.carryOut("failed", { reason: "the dog ate it" });
    const answer = await asked;
    expect(answer.text).toBe('{"error":"unexpected_result"}');
    expect(bridge.log.text).toContain("the dog ate it");
  });

  it("[SESSION-7] answers 500 when the game server restarts in between", async () => {
    const asked = link();
    await pack.take();
    await pack.connect("next run");
    expect((await asked).status).toBe(500);
    expect(await linked()).toEqual({ status: "not_linked" });
  });

  it("[SESSION-7] answers 500 when the game server restarts after it had acknowledged the request", async () => {
    const asked = link();
    await pack.take();
    await pack.snapshot("Steve");
    await pack.connect("next run");
    expect((await asked).status).toBe(500);
    expect(await linked()).toEqual({ status: "not_linked" });
  });

  it("answers 500 when the service stops in between", async () => {
    const asked = link();
    await pack.take();
    await bridge.stop();
    expect((await asked).json).toEqual({ error: "unexpected_result" });
    bridge = await startTestSidecar();
  });

  it("answers 429 when too many requests wait for the player", async () => {
    const asked = link();
    await pack.carryOut("busy");
    const answer = await asked;
    expect([answer.status, answer.json]).toEqual([429, { error: "rate_limited" }]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("answers 429 to a session that asks too often", async () => {
    for (let i = 0; i < 20; i++) {
      const asked = link("Nobody");
      await pack.carryOut("offline");
      expect((await asked).status).toBe(422);
    }
    expect((await link("Nobody")).status).toBe(429);
    bridge.clock.advance(3_000);
    const asked = link("Nobody");
    await pack.carryOut("offline");
    expect((await asked).status).toBe(422);
  });
});

describe("the link of a session", () => {
  it("is accepted with the player's data once the player accepts", async () => {
    await answered(true);
    const players = (await ask(bridge.base, "/players")).json as object[];
    expect(await linked()).toEqual({ status: "accepted", playerData: players[0] });
  });

  it("stays accepted without data while the player is offline, or the game server away", async () => {
    await answered(true);
    await pack.report({ is: "left", id: steve.id });
    expect(await linked()).toEqual({ status: "accepted" });
    await pack.snapshot("Steve");
    expect(await linked()).toHaveProperty("playerData");
    bridge.clock.advance(15_000);
    expect(await linked()).toEqual({ status: "accepted" });
  });

  it("is declined once the player declines", async () => {
    await answered(false);
    expect(await linked()).toEqual({ status: "declined" });
  });

  it("[FORM-5] is declined when the player does not answer in time", async () => {
    const request = await pending();
    bridge.clock.advance(119_999);
    expect(await linked()).toEqual({ status: "pending" });
    bridge.clock.advance(1);
    expect(await linked()).toEqual({ status: "declined" });
    await pack.report({ is: "answered", request, accepted: true });
    expect(await linked()).toEqual({ status: "declined" });
  });

  it.each([true, false])("begins anew after an answer (accepted: %s)", async accepted => {
    await answered(accepted);
    await pending(row("Alex").player);
    expect(await linked()).toEqual({ status: "pending" });
  });

  it("[FORM-6] takes no answer to a request that is not its own", async () => {
    await pending();
    await pack.report({ is: "answered", request: "link:other", accepted: true });
    expect(await linked()).toEqual({ status: "pending" });
  });
});

describe("the outcome of an action that nobody here asked for", () => {
  it.each([
    ["names the player of a form that nobody wants, which is closed", "x", { player: steve }, ["link-close"]],
    ["names nobody, and is passed over whatever its id looks like", "link:x", {}, []],
  ])("[FORM-8] %s", async (_what, id, more, wanted) => {
    await pack.report({ is: "outcome", id, status: "done", ...more });
    const { actions } = (await pack.snapshot("Steve")).body;
    expect(actions.map(({ body }) => body.do)).toEqual(wanted);
  });
});

describe("a store that fails", () => {
  it("is answered 500 as described, with a reason in the log only", async () => {
    const failed = (): Promise<never> => Promise.reject(new Error("the disk is full"));
    const side = await startTestSidecar({
      store: Object.assign(createMemoryStore(), { read: failed, change: failed }),
    });
    for (const [path, method] of [
      ["/linked-player", "GET"],
      ["/unlink-player", "POST"],
    ] as const) {
      const answer = await ask(side.base, path, { method, cookie });
      expect([answer.status, answer.json]).toEqual([500, { error: "unexpected_result" }]);
    }
    expect(side.log.text).toContain("the disk is full");
    await side.stop();
  });
});

describe("POST /unlink-player", () => {
  const unlink = () => ask(bridge.base, "/unlink-player", { method: "POST", cookie });

  it("ends an accepted link at once and has the player told", async () => {
    await answered(true);
    const answer = await unlink();
    expect([answer.status, answer.json]).toEqual([200, { status: "unlinked" }]);
    expect(await linked()).toEqual({ status: "not_linked" });
    expect((await pack.take())[0]?.body).toMatchObject({ do: "tell", player: steve });
    expect((await unlink()).json).toEqual({ error: "not_linked" });
  });

  it("changes nothing while a request is open or declined", async () => {
    const request = await pending();
    expect((await unlink()).status).toBe(400);
    expect(await linked()).toEqual({ status: "pending" });
    await pack.report({ is: "answered", request, accepted: false });
    expect((await unlink()).status).toBe(400);
    expect(await linked()).toEqual({ status: "declined" });
  });
});

describe("a game server that says hello", () => {
  it("[FORM-2] [FORM-9] hears of every open request, with the time that is left", async () => {
    const request = await pending();
    bridge.clock.advance(20_000);
    const { links } = await pack.connect("next run");
    expect(links).toEqual([
      { request, player: steve, browser: userId.slice(0, 8), openForMs: 100_000, open: true },
    ]);
  });

  it("[FORM-2] hears of a request that is on its way, but not to open it", async () => {
    const asked = link();
    const [action] = await pack.take();
    expect((await pack.connect()).links).toMatchObject([{ request: action?.id, open: false }]);
    await pack.report({ is: "outcome", id: action?.id ?? "", status: "done", player: steve });
    expect((await asked).status).toBe(202);
  });
});

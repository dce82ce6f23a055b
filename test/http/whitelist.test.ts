import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type Ask, ask } from "../helpers/client.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { eventually } from "../helpers/runner.ts";
import { ADMIN_KEY, startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

let bridge: TestSidecar;
let pack: FakePack;
beforeEach(async () => {
  bridge = await startTestSidecar();
  pack = new FakePack(bridge.bridge);
  await pack.connect();
  await pack.snapshot();
});
afterEach(() => bridge.stop());

const KEY = { "X-Service-Api-Key": ADMIN_KEY };
const whitelist = (more: Ask = {}) => ask(bridge.base, "/whitelist", { headers: KEY, ...more });

describe("the admin key", () => {
  it.each([
    ["missing", {}],
    ["wrong", { "X-Service-Api-Key": `${ADMIN_KEY}x` }],
    ["empty", { "X-Service-Api-Key": "" }],
    ["in another header", { Authorization: ADMIN_KEY }],
  ])("is refused with 401 and an empty body when it is %s", async (_what, headers) => {
    for (const more of [{}, { body: "{" }]) {
      const answer = await ask(bridge.base, "/whitelist", {
        headers: headers as Record<string, string>,
        ...more,
      });
      expect([answer.status, answer.text]).toEqual([401, ""]);
    }
    expect(bridge.log.text).not.toContain(ADMIN_KEY);
  });

  it("is not asked for when none is configured: 503 whatever is sent", async () => {
    const open = await startTestSidecar({ env: { WEB_BRIDGE_MODULES_API_ADMIN_API_KEY: "" } });
    for (const more of [{}, { headers: KEY }, { body: "{" }]) {
      const answer = await ask(open.base, "/whitelist", more);
      expect([answer.status, answer.json]).toEqual([503, { error: "admin_api_disabled" }]);
    }
    await open.stop();
  });
});

describe("GET /whitelist", () => {
  it("lists the names also when the game has crashed in the middle of a list many times", async () => {
    const part = (id: string) => ({ is: "names" as const, id, names: Array<string>(200).fill("a") });
    for (let crash = 0; crash < 9; crash++) {
      const asked = whitelist();
      const [action] = await pack.take();
      await pack.report(...Array.from({ length: 60 }, () => part(action?.id ?? "")));
      bridge.clock.advance(10_000);
      expect((await asked).status).toBe(500);
      pack.seq = 1;
      await pack.connect(`run after crash ${crash}`);
      await pack.snapshot();
    }
    bridge.clock.advance(1);
    const asked = whitelist();
    const [action] = await pack.take();
    const id = action?.id ?? "";
    await pack.report(...Array.from({ length: 60 }, () => part(id)), { is: "outcome", id, status: "done" });
    expect((await asked).json).toEqual(["a"]);
  });

  it("lists the names of the game by code unit, without empty ones", async () => {
    const asked = whitelist();
    const [action] = await pack.take();
    expect(action?.body).toEqual({ do: "allowlist-read" });
    const id = action?.id ?? "";
    await pack.report(
      { is: "names", id, names: ["steve", "Steve", "", "_x"] },
      { is: "names", id, names: ["Alex 2", "é"] },
      { is: "outcome", id, status: "done" },
    );
    const answer = await asked;
    expect([answer.status, answer.json]).toEqual([200, ["Alex 2", "Steve", "_x", "steve", "é"]]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("asks the game again behind a read that it does not end, and answers 500 after ten seconds", async () => {
    const first = whitelist();
    await pack.take();
    const second = whitelist();
    const took = pack.take();
    let isAsked = false;
    void took.then(() => {
      isAsked = true;
    });
    await eventually(() => {
      bridge.clock.advance(100);
      expect(isAsked).toBe(true);
    });
    expect(await took).toMatchObject([{ body: { do: "allowlist-read" } }]);
    bridge.clock.advance(10_000);
    for (const asked of [first, second]) expect((await asked).json).toEqual({ error: "unexpected_result" });
    await pack.snapshot();
    const third = whitelist();
    await pack.carryOut("done");
    expect((await third).json).toEqual([]);
  });

  it("answers 500 when the game fails", async () => {
    const asked = whitelist();
    await pack.carryOut("failed", { reason: "no allowlist" });
    expect((await asked).json).toEqual({ error: "unexpected_result" });
  });

  it("answers 503 without a game server", async () => {
    bridge.clock.advance(15_000);
    expect((await whitelist()).json).toEqual({ error: "server_unavailable" });
  });
});

describe("POST /whitelist", () => {
  it.each(["Steve", "a", "A_b_0", "x".repeat(16)])("adds %s", async playerName => {
    const asked = whitelist({ body: { playerName } });
    expect((await pack.carryOut("done")).body).toEqual({ do: "allowlist-add", name: playerName });
    const answer = await asked;
    expect([answer.status, answer.json]).toEqual([202, { status: "whitelisted" }]);
  });

  it.each(["", " ", "Gamer Tag", "x".repeat(17), "Steve\n", "é", null, undefined])(
    "answers invalid_name to %j",
    async playerName => {
      const answer = await whitelist({ body: { playerName } });
      expect([answer.status, answer.json]).toEqual([400, { error: "invalid_name" }]);
    },
  );

  it.each(["{", "", "[]", '{"playerName":1}'])("answers invalid_body to %j", async body => {
    const answer = await whitelist({ body });
    expect([answer.status, answer.json]).toEqual([400, { error: "invalid_body" }]);
  });

  it("answers 500 when the game's list does not hold the name afterwards", async () => {
    const asked = whitelist({ body: { playerName: "Steve" } });
    await pack.carryOut("failed", { reason: "not on the list afterwards" });
    expect((await asked).status).toBe(500);
  });

  it("answers 503 without a game server", async () => {
    bridge.clock.advance(15_000);
    expect((await whitelist({ body: { playerName: "Steve" } })).status).toBe(503);
  });
});

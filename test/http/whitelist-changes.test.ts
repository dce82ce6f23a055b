import { afterEach, describe, expect, it } from "@jest/globals";
import type { AuditEntry } from "../../sidecar/ports.ts";
import { type Ask, ask } from "../helpers/client.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { ADMIN_KEY, startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

let side: TestSidecar;
let pack: FakePack;
let audit: AuditEntry[];
/** what the audit waits for before it has written a line */
let written: Promise<void>;
afterEach(() => side.stop());

async function start(yaml = ""): Promise<void> {
  audit = [];
  written = Promise.resolve();
  const write = async (entry: AuditEntry): Promise<void> => {
    await written;
    audit.push(entry);
  };
  side = await startTestSidecar({ yaml, audit: { write } });
  pack = new FakePack(side.bridge);
  await pack.connect();
  await pack.snapshot();
}

const whitelist = (more: Ask) =>
  ask(side.base, "/whitelist", { headers: { "X-Service-Api-Key": ADMIN_KEY }, ...more });
const remove = (playerName: unknown) => whitelist({ method: "DELETE", body: { playerName } });
const add = (playerName: unknown) => whitelist({ body: { playerName } });

describe("DELETE /whitelist", () => {
  it.each(["Steve", "Ari Vale", "名前", "a-b", " ", "x".repeat(64)])(
    "takes %j off, whatever is in it",
    async playerName => {
      await start();
      const asked = remove(playerName);
      expect((await pack.carryOut("done")).body).toEqual({ do: "allowlist-remove", name: playerName });
      const answer = await asked;
      expect([answer.status, answer.json]).toEqual([200, { status: "removed" }]);
    },
  );

  it.each([
    ["Steve", 404, "not_whitelisted"],
    ["Ari Vale", 400, "invalid_name"],
  ] as const)("answers to %s, who is not on the list, %i %s", async (playerName, status, error) => {
    await start();
    const asked = remove(playerName);
    await pack.carryOut("absent");
    const answer = await asked;
    expect([answer.status, answer.json]).toEqual([status, { error }]);
  });

  it.each(["", "x".repeat(65), null, undefined])("answers invalid_name to %j and asks nobody", async name => {
    await start();
    const answer = await remove(name);
    expect([answer.status, answer.json]).toEqual([400, { error: "invalid_name" }]);
    expect(audit).toEqual([]);
  });

  it("refuses bodies, keys and times without a game like POST", async () => {
    await start();
    for (const body of ["{", "", "[]", '{"playerName":1}'])
      expect((await whitelist({ method: "DELETE", body })).json).toEqual({ error: "invalid_body" });
    const big = { playerName: "x".repeat(20_000) };
    expect((await whitelist({ method: "DELETE", body: big })).status).toBe(413);
    const wrong = await whitelist({ method: "DELETE", headers: { "X-Service-Api-Key": "x" }, body: "{" });
    expect([wrong.status, wrong.text]).toEqual([401, ""]);
    expect((await ask(side.base, "/whitelist", { method: "DELETE" })).status).toBe(401);
    const asked = remove("Steve");
    await pack.carryOut("failed", { reason: "no" });
    expect((await asked).status).toBe(500);
    side.clock.advance(15_000);
    expect((await remove("Steve")).json).toEqual({ error: "server_unavailable" });
  });

  it("may be asked by pages of listed origins", async () => {
    await start("modules.api.cors-origins: [https://a.example]");
    const answer = await ask(side.base, "/whitelist", {
      method: "OPTIONS",
      headers: { Origin: "https://a.example", "Access-Control-Request-Method": "DELETE" },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-methods")).toBe("GET,HEAD,POST,DELETE");
  });
});

describe("whitelist-names: gamertag", () => {
  it.each([
    "Steve",
    "Ari Vale",
    "Zoë",
    "이름",
    "Ari Vale#1234",
    "𝒜".repeat(16),
    "a b c d e f g h",
    "١٢٣",
    "é",
  ])("adds %s", async playerName => {
    await start("modules.api.whitelist-names: gamertag");
    const asked = add(playerName);
    expect((await pack.carryOut("done")).body).toEqual({ do: "allowlist-add", name: playerName });
    expect((await asked).status).toBe(202);
  });

  it("answers invalid_name to everything else", async () => {
    await start("modules.api.whitelist-names: gamertag");
    for (const name of [
      ...[
        "",
        " ",
        " a",
        "a ",
        "a  b",
        "a_b",
        "a-b",
        "a#",
        "a#12345",
        "a #1",
        "#1",
        "a#1#2",
        "a#١",
        "a\n",
        "a\u00a0b",
      ],
      ...["x".repeat(17), "𝒜".repeat(17), "a\u200bb", "😀", "a\tb", "\ud800", null],
    ])
      expect([name, (await add(name)).json]).toEqual([name, { error: "invalid_name" }]);
    const gone = remove("Ari Vale");
    await pack.carryOut("absent");
    expect((await gone).json).toEqual({ error: "not_whitelisted" });
    expect((await ask(side.base, "/console.json")).json).toMatchObject({ whitelistNames: "gamertag" });
  });
});

describe("the audit", () => {
  it("has a line for every change that was handed to the game, and for nothing else", async () => {
    await start();
    for (const [send, outcome] of [
      [() => add("Steve"), "done"],
      [() => remove("Steve"), "done"],
      [() => remove("Steve"), "absent"],
      [() => remove("Ari Vale"), "absent"],
      [() => add("Alex"), "failed"],
    ] as const) {
      const asked = send();
      await pack.carryOut(outcome);
      await asked;
    }
    await add("not a name");
    await whitelist({ body: "{" });
    await whitelist({ headers: {}, body: { playerName: "Steve" } });
    side.clock.advance(15_000);
    await add("Steve");
    const entry = { at: expect.any(Number), key: "admin", address: "127.0.0.1" };
    expect(audit).toEqual([
      { ...entry, action: "whitelist.add", name: "Steve", outcome: "whitelisted" },
      { ...entry, action: "whitelist.remove", name: "Steve", outcome: "removed" },
      { ...entry, action: "whitelist.remove", name: "Steve", outcome: "not_whitelisted" },
      { ...entry, action: "whitelist.remove", name: "Ari Vale", outcome: "invalid_name" },
      { ...entry, action: "whitelist.add", name: "Alex", outcome: "unexpected_result" },
    ]);
  });

  it("is written before the answer", async () => {
    await start();
    let write: () => void = () => undefined;
    written = new Promise(resolve => {
      write = resolve;
    });
    let isAnswered = false;
    const asked = add("Steve").then(answer => {
      isAnswered = true;
      return answer;
    });
    await pack.carryOut("done");
    await side.quiet();
    expect([isAnswered, audit]).toEqual([false, []]);
    write();
    expect((await asked).status).toBe(202);
    expect(audit).toHaveLength(1);
  });

  it("tells of a change that the game did not answer, too", async () => {
    await start();
    const asked = add("Steve");
    await pack.take();
    side.clock.advance(10_000);
    expect((await asked).json).toEqual({ error: "unexpected_result" });
    expect(audit).toMatchObject([{ name: "Steve", outcome: "unexpected_result" }]);
  });
});

import { beforeEach, describe, expect, it } from "@jest/globals";
import type { AuditEntry } from "../../sidecar/ports.ts";
import { StorageAway } from "../../sidecar/ports.ts";
import type { Answer } from "../helpers/client.ts";
import { row } from "../helpers/fake-pack.ts";
import { createMemoryBans } from "../helpers/memory-bans.ts";
import { serving } from "../helpers/serving.ts";
import { ADMIN_KEY, keyOf, keysOf } from "../helpers/sidecar.ts";

const LOBBY = "token-of-the-lobby-0123456789-abcdefgh";
const KEYS = [
  keyOf("moderator", ["bans:read", "bans:write"]),
  keyOf("reader", ["bans:read", "players:kick"]),
];
const GUIDE = keyOf("guide", ["bans:read", "bans:write"], ["lobby"]);
const UUID = "00000000-0000-4000-8000-00000000000a";

const side = serving();
const { pack } = side;
let audit: AuditEntry[];
let isAway: boolean;
async function start(isOne = true): Promise<void> {
  audit = [];
  isAway = false;
  const yaml = isOne ? "" : `servers: [{ name: lobby, token: "${LOBBY}" }]`;
  const env = keysOf(...KEYS, ...(isOne ? [] : [GUIDE]));
  const bans = createMemoryBans();
  const reached = {
    ...bans,
    async head() {
      if (isAway) throw new StorageAway("away");
      return bans.head();
    },
  };
  await side.start({ yaml, env, bans: reached, audit: { write: async entry => void audit.push(entry) } }, [
    "Steve",
  ]);
}

const ask = (
  method: "GET" | "POST" | "DELETE",
  body?: unknown,
  path = "/bans",
  of = "moderator",
): Promise<Answer> =>
  side.ask(path, { method, headers: { "X-Service-Api-Key": of && `key of the ${of}` }, body });
const said = async (asked: Promise<Answer>): Promise<unknown[]> => {
  const { status, json } = await asked;
  return [status, json];
};
const refused = (status: number, error: string): unknown[] => [status, { error }];
const list = async (path?: string): Promise<unknown> => (await ask("GET", undefined, path)).json;

describe("the bans", () => {
  beforeEach(() => start());

  it("are made, listed and lifted", async () => {
    expect(await list()).toEqual([]);
    const made = { playerName: "Herobrine", reason: "§cread\n the rules", for: "7d" };
    expect(await said(ask("POST", made))).toEqual([200, { status: "banned" }]);
    const at = side.clock.now();
    expect(await list()).toEqual([
      {
        ...{ name: "Herobrine", uuid: null, servers: null, reason: "read the rules", by: "moderator" },
        ...{ at, until: at + 7 * 24 * 60 * 60_000 },
      },
    ]);
    expect(await said(ask("DELETE", { playerName: "Herobrine" }))).toEqual([200, { status: "unbanned" }]);
    expect(await said(ask("DELETE", { playerName: "Herobrine" }))).toEqual(refused(404, "not_banned"));
    const about = { key: "moderator", address: "127.0.0.1", name: "Herobrine" };
    expect(audit).toEqual([
      { at, ...about, action: "ban.add", reason: "read the rules", outcome: "banned" },
      { at, ...about, action: "ban.remove", outcome: "unbanned" },
      { at, ...about, action: "ban.remove", outcome: "not_banned" },
    ]);
  });

  it("are taken and read without a game server, and answered 503 without the storage", async () => {
    side.clock.advance(60_000);
    expect((await ask("POST", { playerName: "Steve" })).status).toBe(200);
    expect((await ask("GET")).status).toBe(200);
    isAway = true;
    for (const asked of [ask("GET"), ask("POST", { playerName: "Alex" }), ask("DELETE", { uuid: UUID })]) {
      const answer = await asked;
      expect([answer.status, answer.json]).toEqual(refused(503, "server_unavailable"));
      expect(answer.headers.get("retry-after")).toBe("5");
    }
    expect(audit).toHaveLength(1);
  });

  it("need a key with a scope of their own, which is asked for before the body", async () => {
    for (const [method, body] of [
      ["POST", {}],
      ["POST", "{"],
      ["DELETE", "{"],
    ] as const) {
      expect(await said(ask(method, body, "/bans", "reader"))).toEqual(refused(403, "forbidden"));
      const none = await ask(method, body, "/bans", "");
      expect([none.status, none.text]).toEqual([401, ""]);
    }
    expect((await ask("GET", undefined, "/bans", "reader")).status).toBe(200);
    const admin = await side.ask("/bans", { headers: { "X-Service-Api-Key": ADMIN_KEY } });
    expect([admin.status, admin.json]).toEqual(refused(403, "forbidden"));
    expect((await side.ask("/bans", { method: "PUT" })).headers.get("allow")).toBe(
      "GET, HEAD, POST, DELETE, OPTIONS",
    );
  });

  it.each([
    {},
    { playerName: null, uuid: null },
    { playerName: "Steve", uuid: UUID },
    { playerName: " ", uuid: UUID },
    { playerName: " " },
    { playerName: 5 },
    { uuid: "x" },
    { uuid: 5 },
    { uuid: "" },
  ])("of %j are of nobody", async body => {
    expect(await said(ask("POST", { ...body, reason: 5 }))).toEqual(refused(400, "invalid_name"));
    expect(await said(ask("DELETE", body))).toEqual(refused(400, "invalid_name"));
  });

  it.each([
    { reason: 5 },
    { reason: "x".repeat(61) },
    { reason: "😀".repeat(61) },
    { for: "" },
    { for: "0s" },
    { for: 60 },
    { for: "1 week" },
    { for: "-1d" },
  ])("with %j are no body", async more => {
    expect(await said(ask("POST", { playerName: "Steve", ...more }))).toEqual(refused(400, "invalid_body"));
  });

  it("take a reason of 60 characters, and null as what was left out", async () => {
    const reason = "😀".repeat(60);
    await ask("POST", { playerName: "Alex", uuid: null, reason, for: null });
    await ask("POST", { uuid: UUID.toUpperCase(), playerName: null, reason: null });
    expect(await list()).toMatchObject([
      { name: "", uuid: UUID, reason: null },
      { name: "Alex", reason, until: null },
    ]);
  });

  it("of a name that two have had answer 409", async () => {
    const sam = (id: string) => row("Sam", { player: { id, persistentId: id, name: "Sam" } });
    await pack.report({ is: "snapshot", tps: 20, part: 0, parts: 1, rows: [sam("one"), sam("two")] });
    expect(await said(ask("POST", { playerName: "Sam" }))).toEqual(refused(409, "ambiguous_name"));
  });
});

describe("the bans of several game servers", () => {
  beforeEach(() => start(false));

  it("are those of all and of one, each for the keys of those", async () => {
    expect((await ask("POST", { playerName: "Alex" })).status).toBe(200);
    expect((await ask("POST", { playerName: "Kai" }, "/servers/lobby/bans", "guide")).status).toBe(200);
    expect(await list()).toMatchObject([
      { name: "Alex", servers: null },
      { name: "Kai", servers: ["lobby"] },
    ]);
    expect(await list("/servers/main/bans")).toMatchObject([{ name: "Alex" }]);
    expect(await list("/servers/lobby/bans")).toHaveLength(2);
    for (const path of ["/bans", "/servers/main/bans"])
      for (const method of ["GET", "POST", "DELETE"] as const)
        expect(await said(ask(method, method === "GET" ? undefined : {}, path, "guide"))).toEqual(
          refused(403, "forbidden"),
        );
    const lobby = (name: string) => said(ask("DELETE", { playerName: name }, "/servers/lobby/bans", "guide"));
    expect(await lobby("Alex")).toEqual(refused(404, "not_banned"));
    expect(await lobby("Kai")).toEqual([200, { status: "unbanned" }]);
    expect(audit.map(entry => "server" in entry && entry.server)).toEqual([false, "lobby", "lobby", "lobby"]);
    expect(await said(ask("GET", undefined, "/servers/nowhere/bans"))).toEqual(
      refused(404, "unknown_server"),
    );
  });
});

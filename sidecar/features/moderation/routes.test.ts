import { request } from "node:http";
import { beforeEach, describe, expect, it } from "@jest/globals";
import type { ServiceErrorCode } from "../../../shared/public/words.ts";
import type { Answer } from "../../../test/helpers/client.ts";
import { errorBody } from "../../../test/helpers/errors.ts";
import { eventually } from "../../../test/helpers/eventually.ts";
import { FakePack, row } from "../../../test/helpers/fake-pack.ts";
import { createMemoryBans } from "../../../test/helpers/memory-store.ts";
import { serving } from "../../../test/helpers/serving.ts";
import { keyOf, keysOf } from "../../../test/helpers/sidecar.ts";
import { StorageAway } from "../../kernel/storage/ports.ts";
import type { AuditEntry } from "./audit.ts";

// Own connections: one that ends before the answer.

const LOBBY = "token-of-the-lobby-0123456789-abcdefgh";
const ALL = ["players:kick", "chat:announce", "bans:read", "bans:write"] as const;
const KEYS = [keyOf("moderator", ALL), keyOf("reader", ["whitelist:read", "players:read", "bans:read"])];
const GUIDE = keyOf("guide", ALL, ["lobby"]);
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
  const stored = createMemoryBans();
  const bans = { ...stored, head: () => (isAway ? Promise.reject(new StorageAway("away")) : stored.head()) };
  await side.start({ yaml, env, bans, audit: { write: async entry => void audit.push(entry) } }, ["Steve"]);
}

const sent = (path: string, method: string, body: unknown, of = "moderator"): Promise<Answer> =>
  side.ask(path, { method, headers: { "X-Service-Api-Key": of && `key of the ${of}` }, body });
const post = (path: string, body: unknown, of?: string): Promise<Answer> => sent(path, "POST", body, of);
const said = ({ status, json }: Answer): unknown[] => [status, json];
const refused = (status: number, error: ServiceErrorCode): unknown[] => [status, errorBody(error)];

const BODIES = { "/kick": { playerName: "Steve" }, "/announce": { content: "hi" } } as const;
const PATHS = ["/kick", "/announce"] as const;

describe.each(PATHS)("POST %s", path => {
  beforeEach(() => start(false));

  it("is sent only to the game server in the path, by a key for that one", async () => {
    const lobby = new FakePack(() => side.bridge, LOBBY);
    await lobby.connect("run of the lobby");
    await lobby.snapshot("Steve");
    const pending = post(`/servers/lobby${path}`, BODIES[path], "guide");
    await lobby.carryOut("done");
    expect((await pending).status).toBe(200);
    expect((await pack.report()).body.actions).toEqual([]);
    expect(audit).toMatchObject([{ key: "guide", server: "lobby" }]);
  });

  it("answers 503 without a game server, after the body was checked", async () => {
    side.clock.advance(15_000);
    const answer = await post(path, BODIES[path]);
    expect(said(answer)).toEqual(refused(503, "server_unavailable"));
    expect(answer.headers.get("retry-after")).toBe("5");
    expect((await post(path, {})).status).toBe(400);
    expect(audit).toEqual([]);
  });

  it("answers 500 if the game fails", async () => {
    const pending = post(path, BODIES[path]);
    await pack.carryOut("failed", { reason: "it will not" });
    expect(said(await pending)).toEqual(refused(500, "unexpected_result"));
    expect(side.log.text).toContain("it will not");
    expect(audit).toMatchObject([{ key: "moderator", address: "127.0.0.1", outcome: "unexpected_result" }]);
  });
});

describe("POST /kick", () => {
  beforeEach(() => start());
  const kick = (body: object) => post("/kick", body);

  it.each([undefined, null, "", " \t", 5, ["Steve"]])("takes %j for no name", async playerName => {
    expect(said(await kick({ playerName, reason: 5 }))).toEqual(refused(400, "invalid_name"));
  });

  it.each([5, true, {}, "x".repeat(61), "😀".repeat(61)])("takes %j for no reason", async reason => {
    expect(said(await kick({ playerName: "Steve", reason }))).toEqual(refused(400, "invalid_body"));
    expect(audit).toEqual([]);
  });

  it.each([
    ["😀".repeat(60), "😀".repeat(60)],
    [`§c${"x".repeat(60)}\u202e\n\ud800`, "x".repeat(60)],
    ["be %nice", "be %nice"],
    ["§l\n ", undefined],
    [null, undefined],
    [undefined, undefined],
  ])("is shown in the game for %j as %j", async (reason, shownReason) => {
    const pending = kick({ playerName: 'Ari "V" Vale', reason });
    const { body } = await pack.carryOut("done");
    expect(body).toEqual({
      do: "kick",
      name: 'Ari "V" Vale',
      ...(shownReason !== undefined && { reason: shownReason }),
    });
    expect(said(await pending)).toEqual([200, { status: "kicked" }]);
    expect(audit).toMatchObject([{ action: "player.kick", name: 'Ari "V" Vale', outcome: "kicked" }]);
    expect(audit.map(entry => ("reason" in entry ? entry.reason : undefined))).toEqual([shownReason]);
  });

  it("answers 422 if no player of exactly this name is online", async () => {
    const pending = kick({ playerName: "steve" });
    await pack.carryOut("offline");
    expect(said(await pending)).toEqual(refused(422, "player_offline"));
    expect(said(await kick({ playerName: "x".repeat(65) }))).toEqual(refused(422, "player_offline"));
  });
});

it("a repeated kick gets 200 if its answer was lost, and 422 otherwise", async () => {
  await start();
  const wire = request(`${side.base}/kick`, {
    method: "POST",
    headers: { "X-Service-Api-Key": "key of the moderator", "Content-Type": "application/json" },
  });
  wire.on("error", () => undefined).end(JSON.stringify({ playerName: "Steve" }));
  const [action] = await pack.take();
  wire.destroy();
  await pack.report({ is: "outcome", id: action?.id ?? "", do: "kick", status: "done" });
  await eventually(() => expect(audit).toHaveLength(1));
  const again = async (): Promise<unknown[]> => {
    const pending = post("/kick", { playerName: "Steve" });
    await pack.carryOut("offline");
    return said(await pending);
  };
  expect(await again()).toEqual([200, { status: "kicked" }]);
  side.clock.advance(60_000);
  await pack.snapshot("Alex");
  expect(await again()).toEqual(refused(422, "player_offline"));
});

describe("POST /announce", () => {
  beforeEach(() => start());

  it.each([undefined, null, 5, "", " ", "§c\n", "x".repeat(257), "😀".repeat(257)])(
    "takes %j for no text",
    async content => {
      expect(said(await post("/announce", { content }))).toEqual(refused(400, "invalid_body"));
      expect(audit).toEqual([]);
    },
  );

  it("shows up to 256 characters in the game, on every socket of the chat and in the events", async () => {
    const socket = await side.socket();
    const content = `§c${"😀".repeat(256)}\u200b`;
    const pending = post("/announce", { content });
    const { body } = await pack.carryOut("done");
    expect(body).toEqual({ do: "chat", text: `§e[main]§r ${"😀".repeat(256)}` });
    expect(said(await pending)).toEqual([200, { status: "announced" }]);
    const line = `§#ffff55[main]§§ ${"😀".repeat(256)}`;
    expect(await socket.next()).toEqual({ type: "CHAT", content: line });
    const events = (await side.ask("/events?format=json&types=chat")).json;
    expect(events).toEqual([
      { id: expect.any(String), event: "chat", at: side.clock.now(), from: "game", content: line },
    ]);
  });
});

const ask = (
  method: "GET" | "POST" | "DELETE",
  body?: unknown,
  path = "/bans",
  of?: string,
): Promise<Answer> => sent(path, method, body, of);
const list = async (path?: string): Promise<unknown> => (await ask("GET", undefined, path)).json;

describe("the bans", () => {
  beforeEach(() => start());

  it("are made, listed and lifted", async () => {
    expect(await list()).toEqual([]);
    const made = { playerName: "Herobrine", reason: "§cread\n the rules", for: "7d" };
    const at = side.clock.now();
    const ban = {
      ...{ name: "Herobrine", uuid: null, known: false, servers: null, reason: "read the rules" },
      ...{ by: "moderator", at, until: at + 7 * 24 * 60 * 60_000 },
    };
    expect(said(await ask("POST", made))).toEqual([200, { status: "banned", ban }]);
    expect(await list()).toEqual([ban]);
    expect(said(await ask("DELETE", { playerName: "Herobrine" }))).toEqual([200, { status: "unbanned" }]);
    expect(said(await ask("DELETE", { playerName: "Herobrine" }))).toEqual(refused(404, "not_banned"));
    const about = { key: "moderator", address: "127.0.0.1", name: "Herobrine" };
    expect(audit).toEqual([
      { at, ...about, action: "ban.add", reason: "read the rules", outcome: "banned" },
      { at, ...about, action: "ban.remove", outcome: "unbanned" },
      { at, ...about, action: "ban.remove", outcome: "not_banned" },
    ]);
  });

  it("say whether a player with that name or uuid has been seen", async () => {
    for (const body of [{ playerName: "steve" }, { playerName: "Stevee" }, { uuid: UUID }])
      expect((await ask("POST", body)).status).toBe(200);
    expect(await list()).toMatchObject([
      { name: "", uuid: UUID, known: false },
      { name: "Steve", known: true },
      { name: "Stevee", uuid: null, known: false },
    ]);
  });

  it("are listed a page at a time on request", async () => {
    for (const playerName of ["Kai", "Alex", "Steve"]) await ask("POST", { playerName });
    const names = ({ json }: Answer) => (json as { name: string }[]).map(({ name }) => name);
    const first = await sent("/bans?limit=2", "GET", undefined);
    expect(names(first)).toEqual(["Alex", "Kai"]);
    const [, next] = /^<(.*)>; rel="next"$/.exec(first.headers.get("link") ?? "") ?? [];
    const last = await sent(`/bans${next}`, "GET", undefined);
    expect([names(last), last.headers.get("link")]).toEqual([["Steve"], null]);
    expect(names(await ask("GET"))).toEqual(["Alex", "Kai", "Steve"]);
    expect(said(await sent("/bans?limit=0", "GET", undefined))).toEqual(refused(400, "invalid_query"));
  });

  it("are lifted by the uuid in the path, without a body", async () => {
    await ask("POST", { uuid: UUID });
    const lift = (uuid: string, of?: string) => sent(`/bans/${uuid}`, "DELETE", undefined, of);
    expect(said(await lift(UUID, "reader"))).toEqual(refused(403, "forbidden"));
    expect(said(await lift(UUID.toUpperCase()))).toEqual([200, { status: "unbanned" }]);
    expect(said(await lift(UUID))).toEqual(refused(404, "not_banned"));
    expect(said(await lift("Steve"))).toEqual(refused(400, "invalid_name"));
    expect(audit.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      "ban.add banned",
      "ban.remove unbanned",
      "ban.remove not_banned",
    ]);
  });

  it("can be made and read without a game server, and get 503 without the storage", async () => {
    side.clock.advance(60_000);
    expect((await ask("POST", { playerName: "Steve" })).status).toBe(200);
    expect((await ask("GET")).status).toBe(200);
    isAway = true;
    for (const pending of [ask("GET"), ask("POST", { playerName: "Alex" }), ask("DELETE", { uuid: UUID })]) {
      const answer = await pending;
      expect([answer.status, answer.json]).toEqual(refused(503, "server_unavailable"));
      expect(answer.headers.get("retry-after")).toBe("5");
    }
    expect(audit).toHaveLength(1);
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
  ])("of %j are rejected with invalid_name", async body => {
    expect(said(await ask("POST", { ...body, reason: 5 }))).toEqual(refused(400, "invalid_name"));
    expect(said(await ask("DELETE", body))).toEqual(refused(400, "invalid_name"));
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
  ])("with %j get invalid_body", async more => {
    expect(said(await ask("POST", { playerName: "Steve", ...more }))).toEqual(refused(400, "invalid_body"));
  });

  it("accept a reason of 60 characters, and treat null as omitted", async () => {
    const reason = "😀".repeat(60);
    await ask("POST", { playerName: "Alex", uuid: null, reason, for: null });
    await ask("POST", { uuid: UUID.toUpperCase(), playerName: null, reason: null });
    expect(await list()).toMatchObject([
      { name: "", uuid: UUID, reason: null },
      { name: "Alex", reason, until: null },
    ]);
  });

  it("of a name that two players have had get 409", async () => {
    const sam = (id: string) => row("Sam", { player: { id, persistentId: id, name: "Sam" } });
    await pack.report({ is: "snapshot", tps: 20, part: 0, parts: 1, rows: [sam("one"), sam("two")] });
    expect(said(await ask("POST", { playerName: "Sam" }))).toEqual(refused(409, "ambiguous_name"));
  });
});

describe("the bans of several game servers", () => {
  beforeEach(() => start(false));

  it("are for all or for one, each for the keys of those servers", async () => {
    expect((await ask("POST", { playerName: "Alex" })).status).toBe(200);
    expect((await ask("POST", { playerName: "Kai" }, "/servers/lobby/bans", "guide")).status).toBe(200);
    expect(await list()).toMatchObject([
      { name: "Alex", servers: null },
      { name: "Kai", servers: ["lobby"] },
    ]);
    expect(await list("/servers/main/bans")).toMatchObject([{ name: "Alex" }]);
    expect(await list("/servers/lobby/bans")).toHaveLength(2);
    const lobby = async (name: string) =>
      said(await ask("DELETE", { playerName: name }, "/servers/lobby/bans", "guide"));
    expect(await lobby("Alex")).toEqual(refused(404, "not_banned"));
    expect(await lobby("Kai")).toEqual([200, { status: "unbanned" }]);
    expect(audit.map(entry => "server" in entry && entry.server)).toEqual([false, "lobby", "lobby", "lobby"]);
  });
});

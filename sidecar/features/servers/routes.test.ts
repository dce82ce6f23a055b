import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Ask } from "../../../test/helpers/client.ts";
import { errorBody } from "../../../test/helpers/errors.ts";
import { FakePack } from "../../../test/helpers/fake-pack.ts";
import { bytesOf, serving } from "../../../test/helpers/serving.ts";
import { ADMIN_KEY } from "../../../test/helpers/sidecar.ts";
import { sha256Of } from "../../config/admin-keys.ts";
import type { AuditEntry } from "../moderation/audit.ts";

const LOBBY = "token-of-the-lobby-0123456789-abcdefgh";
const KEY = "key of the panel 0123456789";
const YAML = `
server.info: { title: Oak, address: play.example.com, version: "1.26.60", max-players: 20 }
modules.api.admin-keys: [{name: panel, sha256: "${sha256Of(KEY)}", scopes: [whitelist:read, whitelist:write], servers: [lobby]}]
servers: [{ name: lobby, title: Hub, token: "${LOBBY}" }, { name: creative }]
`;
const LISTS = ["status", "players", "history", "server", "whitelist"];

const side = serving();
const lobby = new FakePack(() => side.bridge, LOBBY);
const audit: AuditEntry[] = [];

beforeEach(async () => {
  audit.length = 0;
  await side.start({ yaml: YAML, audit: { write: async entry => void audit.push(entry) } }, ["Steve"]);
  lobby.seq = 1;
  await lobby.connect("run of the lobby");
  await lobby.snapshot("Alex", "Tom");
});

const unknown = { name: "", title: null, state: "away", onlinePlayerCount: null, maxPlayers: null };
const nothing = { ...unknown, version: null, address: null };
const oak = { title: "Oak", maxPlayers: 20, version: "1.26.60", address: "play.example.com" };
const withKey = (key: string, more: Ask = {}): Ask => ({
  ...more,
  headers: { "X-Service-Api-Key": key, ...more.headers },
});

describe("GET /servers", () => {
  it("lists game servers as configured, with null for unknown values", async () => {
    expect(await side.said("/servers")).toEqual([
      200,
      [
        { ...oak, name: "main", state: "online", onlinePlayerCount: 1 },
        { ...nothing, name: "lobby", title: "Hub", state: "online", onlinePlayerCount: 2 },
        { ...nothing, name: "creative" },
      ],
    ]);
    side.clock.advance(15_000);
    await lobby.snapshot("Alex");
    expect((await side.ask("/servers")).json).toMatchObject([
      { state: "away", onlinePlayerCount: null },
      { state: "online", onlinePlayerCount: 1 },
      { state: "away" },
    ]);
  });
});

describe("a request for one of several game servers", () => {
  it("is answered by that one, or by the first one without a name", async () => {
    for (const call of ["status", "players", "history", "server"])
      expect((await side.ask(`/servers/main/${call}`)).text).toBe((await side.ask(`/${call}`)).text);
    expect((await side.ask("/servers/lobby/players")).json).toMatchObject([
      { name: "Alex" },
      { name: "Tom" },
    ]);
    expect((await side.ask("/servers/lobby/server")).json).toMatchObject({ title: "Hub" });
    expect(await side.said("/servers/creative/status")).toEqual([503, errorBody("server_unavailable")]);
  });

  it.each(["nope", "Lobby", "%6cobby", "%zz", "constructor"])(
    "is 404 unknown_server where none is called %s, ahead of method, key and body",
    async name => {
      const refused = [404, errorBody("unknown_server")];
      for (const call of LISTS) expect(await side.said(`/servers/${name}/${call}`)).toEqual(refused);
      for (const more of [withKey("wrong"), { body: {} }, withKey(KEY, { body: "{" })])
        expect(await side.said(`/servers/${name}/whitelist`, more)).toEqual(refused);
      // Paths and methods that are not described.
      for (const call of ["GET chat", "GET nothing", "GET a/b", "GET ", "PUT status"]) {
        const [method, path] = call.split(" ");
        await side.wire(bytesOf(`${method} /servers/${name}/${path}`)).until("unknown_server");
      }
      const strange = { headers: { Origin: "https://evil.example" } };
      expect(await side.said(`/servers/${name}/status`, strange)).toEqual([
        403,
        errorBody("origin_not_allowed"),
      ]);
    },
  );

  it.each(["/servers/lobby", "/servers/lobby/", "/servers/lobby/badge.svg", "/servers/nope", "/servers/"])(
    "is 404 not_found at %s",
    async path => {
      expect(await side.said(path)).toEqual([404, errorBody("not_found")]);
    },
  );
});

describe("a key for one of several game servers", () => {
  it("changes the whitelist of that one only, which the audit log names", async () => {
    const body = { playerName: "Notch" };
    const added = side.said("/servers/lobby/whitelist", withKey(KEY, { body }));
    await lobby.carryOut("done");
    expect(await added).toEqual([202, { status: "whitelisted" }]);
    expect((await side.pack.report()).body.actions).toEqual([]);
    const inMain = side.said("/whitelist", withKey(ADMIN_KEY, { body }));
    await side.pack.carryOut("done");
    expect((await inMain)[0]).toBe(202);
    expect(audit).toMatchObject([
      { key: "panel", server: "lobby", name: "Notch" },
      { key: "admin", server: "main", name: "Notch" },
    ]);
  });
});

it("GET /readyz is 200 while one of several game servers is online, and gives the state of each", async () => {
  const states = (...all: string[]): unknown =>
    ["main", "lobby", "creative"].map((name, i) => ({ name, state: all[i] }));
  side.clock.advance(15_000);
  await lobby.snapshot("Alex");
  expect(await side.said("/readyz")).toEqual([
    200,
    { status: "ready", servers: states("away", "online", "away") },
  ]);
  side.clock.advance(15_000);
  expect(await side.said("/readyz")).toMatchObject([503, { servers: states("away", "away", "away") }]);
});

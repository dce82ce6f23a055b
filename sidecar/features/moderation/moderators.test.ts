import { beforeEach, describe, expect, it } from "@jest/globals";
import { MODERATOR_SCOPES } from "../../../shared/public/words.ts";
import type { Answer, Ask } from "../../../test/helpers/client.ts";
import { STEVE } from "../../../test/helpers/fake-pack.ts";
import { bytesOf, serving, Wire } from "../../../test/helpers/serving.ts";
import { keyOf, keysOf } from "../../../test/helpers/sidecar.ts";
import type { AuditEntry } from "./audit.ts";

const NO_ADMIN = { WEB_BRIDGE_MODULES_API_ADMIN_API_KEY: "" };
const LISTED = "https://panel.example.com";

const side = serving();
const { pack } = side;
let audit: AuditEntry[];
let cookie: string;

const start = async (moderators: readonly object[], env: Record<string, string> = {}): Promise<void> => {
  audit = [];
  await side.api(
    `cors-origins: ["${LISTED}"], moderators: ${JSON.stringify(moderators)}`,
    ["Steve", "Alex"],
    { env: { ...NO_ADMIN, ...env }, audit: { write: async entry => void audit.push(entry) } },
  );
  ({ cookie } = await side.session());
};
const own = (): Record<string, string> => ({ Origin: side.base });
const kick = (more: Ask = {}) =>
  side.ask("/kick", { cookie, headers: own(), body: { playerName: "Alex" }, ...more });
const said = ({ status, json }: Answer): unknown[] => [status, json];
const ALL = { player: "Steve", scopes: MODERATOR_SCOPES };

describe("a player who can moderate, without a key", () => {
  beforeEach(() => start([ALL]));

  it("kicks by the accepted link of a browser, and the audit names the player", async () => {
    expect(said(await kick())).toMatchObject([503, { error: "admin_api_disabled" }]);
    await side.link(cookie);
    const session = (await side.ask("/session", { cookie })).json;
    expect(session).toMatchObject({ status: "accepted", scopes: MODERATOR_SCOPES });
    const pending = kick();
    await pack.carryOut("done");
    expect(said(await pending)).toEqual([200, { status: "kicked" }]);
    const { uuid } = (session as { player: { uuid: string } }).player;
    expect(audit).toMatchObject([{ key: "player:Steve", uuid, action: "player.kick", outcome: "kicked" }]);
    expect(side.log.text).toContain("player:Steve");
  });

  it("can read, ban and mute, and cannot use other admin calls", async () => {
    await side.link(cookie);
    const headers = own();
    expect((await side.ask("/bans", { cookie })).status).toBe(200);
    expect((await side.ask("/bans", { cookie, headers, body: { playerName: "Nobody" } })).status).toBe(200);
    expect((await side.ask("/mutes", { cookie, headers, body: { label: "kxwtmhzr" } })).status).toBe(200);
    for (const path of ["/whitelist", "/audit"])
      expect(said(await side.ask(path, { cookie, headers }))).toMatchObject([
        503,
        { error: "admin_api_disabled" },
      ]);
    expect((await side.ask("/console.json")).json).toMatchObject({ moderation: true, moderators: true });
  });

  it("is rejected from pages that may not use the cookie, and without a page's origin", async () => {
    await side.link(cookie);
    for (const headers of [
      {},
      { "Sec-Fetch-Site": "same-site" },
      { Origin: "null" },
      { Origin: "http://a.example" },
    ])
      expect(said(await kick({ headers }))).toMatchObject([403, { error: "origin_not_allowed" }]);
    expect((await side.ask("/bans", { cookie, headers: { "Sec-Fetch-Site": "same-site" } })).status).toBe(
      403,
    );
    expect((await pack.report()).body.actions).toEqual([]);
    const pending = kick({ headers: { Origin: LISTED } });
    await pack.carryOut("done");
    expect((await pending).status).toBe(200);
  });

  it("can do nothing once the link has ended, or while the player is banned", async () => {
    await side.link(cookie);
    const ban = { cookie, headers: own(), body: { playerName: "Steve" } };
    expect((await side.ask("/bans", ban)).status).toBe(200);
    expect((await kick()).status).toBe(503);
    expect((await side.ask("/bans", { ...ban, method: "DELETE" })).status).toBe(503);
    expect((await side.ask("/session", { cookie })).json).toMatchObject({ status: "accepted", scopes: [] });
  });

  it("can do nothing once the link has ended while the body arrives", async () => {
    await side.link(cookie);
    const body = JSON.stringify({ playerName: "Alex" });
    const headers = [`Cookie: ${cookie}`, "Origin: http://localhost", "Content-Type: application/json"];
    const wire = new Wire(Number(new URL(side.base).port)).write(
      bytesOf("POST /kick", ...headers, `Content-Length: ${body.length}`, "Expect: 100-continue"),
    );
    await wire.until("100 Continue");
    await pack.report({ is: "unlinked-by-player", player: STEVE });
    await wire.write(body).until("admin_api_disabled");
    expect((await pack.report()).body.actions.map(action => action.body.do)).not.toContain("kick");
    wire.socket.destroy();
  });

  it("changes immediately with the configuration", async () => {
    await side.link(cookie);
    side.sidecar.setModerators([]);
    expect((await kick()).status).toBe(503);
    side.sidecar.setModerators([{ player: "steve", scopes: ["bans:read"], servers: undefined }]);
    expect(said(await kick())).toMatchObject([403, { error: "forbidden" }]);
    expect((await side.ask("/bans", { cookie })).status).toBe(200);
  });
});

describe("a key in the header", () => {
  it("counts instead of the link, even if it is wrong", async () => {
    await start([ALL], keysOf(keyOf("reader", ["bans:read"])));
    await side.link(cookie);
    const withKey = (key: string) => kick({ headers: { ...own(), "X-Service-Api-Key": key } });
    for (const key of ["", "wrong"]) expect((await withKey(key)).status).toBe(401);
    expect((await withKey("key of the reader")).status).toBe(403);
  });
});

it("a player who is no moderator needs a key", async () => {
  await start([{ player: "Alex", scopes: ["bans:read"] }], keysOf(keyOf("reader", ["bans:read"])));
  await side.link(cookie);
  expect((await kick()).status).toBe(401);
  expect((await side.ask("/session", { cookie })).json).toMatchObject({ scopes: [] });
});

describe("a moderator of one of several game servers", () => {
  const ask = (path: string, body: object) => side.ask(path, { cookie, headers: own(), body });
  beforeEach(async () => {
    await side.start(
      {
        yaml: `servers: [{ name: lobby, token: "token-of-the-lobby-0123456789-abcdefgh" }]
modules: {api: {moderators: [{player: Steve, scopes: [bans:write, chat:mute], servers: [lobby]}]}}`,
      },
      ["Steve"],
    );
    ({ cookie } = await side.session());
    await side.link(cookie);
  });

  it("can do nothing on the others; a mute is for all of them", async () => {
    expect((await ask("/servers/lobby/bans", { playerName: "Alex" })).status).toBe(200);
    const refused = await ask("/bans", { playerName: "Alex" });
    expect(refused.status).toBe(403);
    expect(refused.json).toMatchObject({ error: "forbidden", message: expect.stringContaining("player") });
    expect((await ask("/mutes", { label: "--------" })).status).toBe(200);
  });

  it("can do nothing while banned on one of them", async () => {
    expect((await ask("/servers/lobby/bans", { playerName: "Steve" })).status).toBe(200);
    expect((await ask("/mutes", { label: "--------" })).status).toBe(401);
  });
});

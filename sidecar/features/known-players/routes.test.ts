import { beforeEach, describe, expect, it } from "@jest/globals";
import type { KnownPlayers } from "../../../client/index.ts";
import { errorBody } from "../../../test/helpers/errors.ts";
import { row } from "../../../test/helpers/fake-pack.ts";
import { serving } from "../../../test/helpers/serving.ts";
import { ADMIN_KEY } from "../../../test/helpers/sidecar.ts";
import { sha256Of } from "../../config/admin-keys.ts";
import { playerUuid } from "../players/player-data.ts";

const READER = "a key that reads of players 0123456789";
const OTHER = "a key that reads the whitelist 01234567";
const KEYS = `admin-keys: [{name: reader, sha256: "${sha256Of(READER)}", scopes: ["players:read"]},
  {name: other, sha256: "${sha256Of(OTHER)}", scopes: ["whitelist:read"]}]`;

const side = serving();
const { pack } = side;
const uuidOf = (name: string): string => playerUuid(row(name).player, "");

async function start(known: string): Promise<void> {
  await side.start({ yaml: `modules: {api: {${KEYS}, known-players: {show: ${known}}}}` });
  await pack.connect();
  await pack.snapshot("Steve", "Alex", "Kai");
}

/** `body` is undefined where there is none. */
async function get(path: string, key?: string): Promise<{ status: number; body: unknown; text: string }> {
  const { status, text, json } = await side.ask(path, {
    headers: key === undefined ? {} : { "X-Service-Api-Key": key },
  });
  return { status, text, body: json };
}
const nextOf = (text: string): string => Buffer.from(text).toString("base64url");
const NEXT = nextOf('["playtime","",-1,"25f6be79-78bb-5d2a-9d14-dde1a1ccd90a"]');
const statuses = (...requests: [path: string, key?: string][]): Promise<number[]> =>
  Promise.all(requests.map(async each => (await get(...each)).status));
const page = async (query: string): Promise<KnownPlayers> =>
  (await get(`/known-players?${query}`)).body as KnownPlayers;

describe("the known players for everybody", () => {
  beforeEach(() => start("everybody"));

  it("is readable without a key, newest first", async () => {
    const { players, total, next } = await page("");
    expect(players.map(({ name }) => name).sort()).toEqual(["Alex", "Kai", "Steve"]);
    expect(players[0]).toMatchObject({
      online: true,
      visits: 1,
      deaths: 1,
      playerKills: 2,
      playtimeSeconds: 3,
    });
    expect([total, next]).toEqual([3, null]);
    expect((await get("/console.json")).body).toMatchObject({ knownPlayers: "everybody" });
  });

  it.each([
    "sort=best",
    "sort=",
    "sort=name&sort=name",
    "limit=0",
    "limit=201",
    "limit=1.5",
    "limit=",
    "name=",
    `name=${"a".repeat(33)}`,
    "name=a&sort=playtime",
    "name=a&name=b",
    "search=x",
    "Sort=name",
    "sort[]=name",
    "server=main",
    "after=",
    "after=nonsense",
    `after=${Buffer.from('["name","","a"]').toString("base64url")}`,
    // The cursor of `next`, one with extra characters, and one in another notation.
    `after=${NEXT}!&sort=playtime`,
    `after=${nextOf('["playtime","",-1.0,"25f6be79-78bb-5d2a-9d14-dde1a1ccd90a"]')}&sort=playtime`,
    `after=${nextOf('["playtime","",-1,"25F6BE79-78BB-5D2A-9D14-DDE1A1CCD90A"]')}&sort=playtime`,
    `after=${nextOf('["playtime","",1e999,"25f6be79-78bb-5d2a-9d14-dde1a1ccd90a"]')}&sort=playtime`,
    `after=${Buffer.from('["playtime","","a","25f6be79-78bb-5d2a-9d14-dde1a1ccd90a"]').toString("base64url")}&sort=playtime`,
  ])("answers %s with invalid_query", async query => {
    expect(await get(`/known-players?${query}`)).toMatchObject({
      status: 400,
      body: errorBody("invalid_query"),
    });
  });

  it("rejects a cursor of another order or prefix", async () => {
    const { next } = await page("sort=name&limit=1");
    const named = await page("name=a&limit=200");
    expect(named.next).toBeNull();
    expect(
      await statuses([`/known-players?sort=name&after=${next}`], [`/known-players?after=${next}`]),
    ).toEqual([200, 400]);
    expect(await statuses([`/known-players?name=s&after=${next}`])).toEqual([400]);
  });

  it("returns one player by uuid in any case, and visits only with a key", async () => {
    const at = `/known-players/${uuidOf("Steve")}`;
    const plain = await get(at);
    expect(plain.body).toMatchObject({ name: "Steve", online: true });
    expect(plain.body).not.toHaveProperty("stays");
    expect((await get(at.toUpperCase().replace("/KNOWN-PLAYERS", "/known-players"))).status).toBe(200);
    for (const key of ["wrong", OTHER]) expect((await get(at, key)).body).toEqual(plain.body);
    expect((await get(at, READER)).body).toMatchObject({ stays: [{ to: null }] });
  });

  it("rejects unknown parameters, except the cache buster", async () => {
    const at = `/known-players/${uuidOf("Steve")}`;
    expect(await get(`${at}?stays=1`)).toMatchObject({ status: 400, body: errorBody("invalid_query") });
    expect(await statuses([`${at}?_=1`], ["/known-players?_=1"])).toEqual([200, 200]);
  });

  it("responds 404 to an unknown or invalid uuid", async () => {
    for (const uuid of ["25f6be79-78bb-5d2a-9d14-dde1a1ccd90a", "Steve", "%ff", "%20"])
      expect(await get(`/known-players/${uuid}`)).toMatchObject({
        status: 404,
        body: errorBody("unknown_player", "uuid"),
      });
  });

  it("can be cached for one refresh interval and revalidated by its ETag, but not with a key", async () => {
    for (const path of ["/known-players", `/known-players/${uuidOf("Steve")}`]) {
      const { headers } = await side.ask(path);
      expect(headers.get("cache-control")).toBe("public, max-age=5");
      expect(headers.get("vary")).toBe("Origin, X-Service-Api-Key");
      const again = { headers: { "If-None-Match": headers.get("etag") ?? "" } };
      expect(await side.ask(path, again)).toMatchObject({ status: 304, text: "" });
      const withKey = await side.ask(path, { headers: { "X-Service-Api-Key": READER } });
      expect([withKey.status, withKey.headers.get("cache-control")]).toEqual([200, "no-store"]);
    }
  });

  it("costs five requests a page, and says how long to wait", async () => {
    await side.api("known-players: {show: everybody}, limits: {requests-per-minute: 62}", ["Steve"]);
    const list = () => side.ask("/known-players");
    for (let i = 0; i < 12; i++) expect((await list()).status).toBe(200);
    const { status, json, headers } = await list();
    expect([status, json, headers.get("retry-after")]).toEqual([429, errorBody("rate_limited"), "4"]);
  });
});

describe("the known players, for keys", () => {
  it("are shown to a key with the scope, which is checked first", async () => {
    await start("key");
    const [all, steve] = ["/known-players?limit=0", `/known-players/${uuidOf("Nobody")}`];
    for (const path of [all, steve]) {
      expect(await get(path)).toEqual({ status: 401, text: "", body: undefined });
      expect(await get(path, "wrong")).toEqual({ status: 401, text: "", body: undefined });
      for (const other of [OTHER, ADMIN_KEY])
        expect(await get(path, other)).toMatchObject({ status: 403, body: errorBody("forbidden") });
    }
    expect(await statuses([all, READER], [steve, READER], ["/known-players", READER])).toEqual([
      400, 404, 200,
    ]);
    expect((await get(`/known-players/${uuidOf("Steve")}`, READER)).body).toHaveProperty("stays");
  });
});

describe("the known players, turned off", () => {
  it("is not there, and is in no description", async () => {
    await start("off");
    for (const path of ["/known-players", `/known-players/${uuidOf("Steve")}`])
      expect(await get(path, READER)).toMatchObject({ status: 404, body: errorBody("not_found") });
    expect((await get("/openapi.json")).text).not.toContain("/known-players");
  });
});

import { describe, expect, it } from "@jest/globals";
import { createClient } from "../../../client/index.ts";
import { checkedFetch } from "../../../test/helpers/client.ts";
import { serving } from "../../../test/helpers/serving.ts";
import { testConfig } from "../../../test/helpers/sidecar.ts";

const ALL =
  'server: {info: {title: "Oak & Stone", address: "play.example.com", version: "1.26.40", max-players: 20}}';
const info = { title: "Oak & Stone", address: "play.example.com", version: "1.26.40", maxPlayers: 20 };
const untold = { title: null, address: null, version: null, maxPlayers: null };

const side = serving();

describe("GET /server", () => {
  it("returns the configured values, with and without a game server", async () => {
    await side.start(ALL);
    expect(await createClient({ base: side.base, fetch: checkedFetch }).server()).toEqual({
      ok: true,
      value: info,
    });
    await side.online("Steve");
    expect((await side.ask("/server")).json).toEqual(info);
  });

  it("returns what the game server announces where nothing is configured", async () => {
    let game = { version: "1.26.52", maxPlayers: 10 };
    await side.start({ yaml: "server: {info: {title: Oak}}", askGame: async () => game });
    const first = await side.ask("/server");
    expect(first.json).toEqual({ ...untold, title: "Oak", ...game });
    const headers = { "If-None-Match": first.headers.get("etag") ?? "" };
    expect((await side.ask("/server", { headers })).status).toBe(304);
    game = { version: "1.26.60", maxPlayers: 20 };
    side.clock.advance(60_000);
    expect((await side.ask("/server", { headers })).json).toEqual({ ...untold, title: "Oak", ...game });
  });

  it("has the join address of the configuration", async () => {
    const joinAddress = async (): Promise<unknown> =>
      ((await side.ask("/console.json")).json as { joinAddress?: string }).joinAddress;
    await side.start(ALL);
    expect(await joinAddress()).toBe("play.example.com");
    await side.start({ yaml: `${ALL}\nmodules: {web: {join-address: "join.example.com"}}` });
    expect(await joinAddress()).toBe("join.example.com");
    expect((await side.ask("/server")).json).toEqual(info);
  });

  it.each([
    'title: "a\\nb"',
    `title: "${"x".repeat(65)}"`,
    'address: "a b"',
    'version: "1.26 <b>"',
    "max-players: -1",
    "max-players: 1.5",
  ])("does not use %s", wrong => {
    expect(() => testConfig({ yaml: `server: {info: {${wrong}}}` })).toThrow(/^.*server\.info\./);
  });
});

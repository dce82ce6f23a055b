import { beforeEach, expect, it } from "@jest/globals";
import type { Ask } from "../helpers/client.ts";
import { short } from "../helpers/event-stream.ts";
import { FakePack, row, said } from "../helpers/fake-pack.ts";
import { serving } from "../helpers/serving.ts";
import { ADMIN_KEY, MODERATOR_KEY, moderators } from "../helpers/sidecar.ts";

const [LOBBY, CREATIVE] = ["token-of-the-lobby-0123456789-abc", "token-of-creative-0123456789-abcd"];
const YAML = `
modules.api: { known-players: { show: everybody } }
servers: [{ name: lobby, token: "${LOBBY}" }, { name: creative, token: "${CREATIVE}" }]
`;

const side = serving();
const main = side.pack;
const lobby = new FakePack(() => side.bridge, LOBBY);
const creative = new FakePack(() => side.bridge, CREATIVE);

/** Three game servers, each with a player of its own. The tests are about the second. */
beforeEach(async () => {
  await side.start({ yaml: YAML, env: moderators() }, ["Steve"]);
  for (const [pack, player] of [
    [lobby, "Alex"],
    [creative, "Kai"],
  ] as const) {
    pack.seq = 1;
    await pack.connect(`run of ${player}`);
    await pack.snapshot(player);
  }
});

const withKey = (key: string, body?: unknown): Ask => ({
  headers: { "X-Service-Api-Key": key },
  ...(body !== undefined && { body }),
});

/** What the other game servers are asked until everything under way has gone on. */
async function othersAreAskedNothing(): Promise<void> {
  for (const pack of [main, creative]) {
    const end = new AbortController();
    let taken: unknown;
    const { session, after } = pack;
    const poll = pack.post("/bridge/poll", { session, after }, end.signal).then(
      ({ body }) => {
        taken = body;
      },
      () => undefined,
    );
    await side.quiet();
    end.abort();
    await poll;
    expect(taken).toBeUndefined();
  }
}

it("the second of three game servers alone changes its whitelist, kicks and announces when that is asked of it", async () => {
  for (const [path, key, body, status] of [
    ["whitelist", ADMIN_KEY, { playerName: "Noor" }, 202],
    ["kick", MODERATOR_KEY, { playerName: "Alex" }, 200],
    ["announce", MODERATOR_KEY, { content: "hi" }, 200],
  ] as const) {
    const asked = side.ask(`/servers/lobby/${path}`, withKey(key, body));
    await lobby.carryOut("done");
    expect((await asked).status).toBe(status);
  }
  await othersAreAskedNothing();
});

it("a line for the second of three game servers is shown there alone, and heard by its readers and those of all", async () => {
  const [all, own, other] = [
    await side.socket(),
    await side.socket({}, "?server=lobby"),
    await side.socket({}, "?server=creative"),
  ];
  const stream = await side.stream("?server=lobby&types=chat,join,leave");
  await lobby.report(said("in the lobby"), { is: "joined", row: row("Tom") });
  await creative.report(said("elsewhere"));
  own.say("to the lobby");
  expect((await lobby.carryOut("done")).body).toMatchObject({ do: "chat" });
  await othersAreAskedNothing();
  await side.quiet();
  const contents = (each: typeof all) => each.unread().map(({ content }) => content);
  const [inLobby, elsewhere] = ["in the lobby", "elsewhere"].map(text => `§§<Steve> §§${text}`);
  expect(contents(all)).toEqual([inLobby, elsewhere, "to the lobby"]);
  expect(contents(own)).toEqual([inLobby]);
  expect(contents(other)).toEqual([elsewhere]);
  expect(short(stream.events)).toEqual(["in the lobby", "+Tom", "to the lobby"]);
});

it("a browser is linked to a player on the second of three game servers, who is banned from that one alone", async () => {
  const { cookie } = await side.session();
  const asked = side.ask("/link-player", { cookie, body: { username: "Alex", server: "lobby" } });
  const { id } = await lobby.carryOut("done", { player: row("Alex").player });
  expect((await asked).status).toBe(202);
  await lobby.report({ is: "answered", request: id, accepted: true });
  const linked = async () => (await side.ask("/linked-player", { cookie })).json;
  expect(await linked()).toMatchObject({ status: "accepted", playerData: { name: "Alex" } });
  const ban = withKey(MODERATOR_KEY, { playerName: "Alex" });
  expect((await side.ask("/servers/lobby/bans", ban)).status).toBe(200);
  const bansOf = async (path: string) => (await side.ask(path, withKey(MODERATOR_KEY))).json;
  expect(await bansOf("/bans")).toMatchObject([{ servers: ["lobby"] }]);
  expect(await bansOf("/servers/lobby/bans")).toMatchObject([{ name: "Alex" }]);
  expect(await bansOf("/servers/creative/bans")).toEqual([]);
});

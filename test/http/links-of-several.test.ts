import { beforeEach, describe, expect, it } from "@jest/globals";
import { FakePack, row } from "../helpers/fake-pack.ts";
import { serving } from "../helpers/serving.ts";

// What is decided is tested in test/app; here is what is read of a request, and what is answered.

const TOKEN = "test-token-of-the-lobby-0123456789";
const side = serving();
const { pack: main } = side;
let lobby: FakePack;
let cookie: string;
beforeEach(async () => {
  await side.start(`servers: [{name: lobby, token: "${TOKEN}"}]`);
  lobby = new FakePack(side.bridge, TOKEN);
  ({ cookie } = await side.session());
});

const online = async (pack: FakePack, ...names: string[]): Promise<void> => {
  if (pack.session === "") await pack.connect();
  await pack.snapshot(...names);
};
const link = (body: object) => side.said("/link-player", { cookie, body });
const linked = async () => (await side.ask("/linked-player", { cookie })).json;
const UNKNOWN = [400, { error: "unknown_server" }];
const SENT = [202, { status: "verification_sent" }];
/** What is answered to a request that reaches Steve there. */
async function found(pack: FakePack, body: object): Promise<unknown> {
  const asked = link(body);
  await pack.carryOut("done", { player: row("Steve").player });
  return asked;
}

describe("POST /link-player with a game server", () => {
  it.each([
    "Lobby",
    "lobby ",
    "third",
    "",
    "__proto__",
    "constructor",
    "../lobby",
    1,
    0,
    true,
    false,
    ["lobby"],
    { name: "lobby" },
  ])("is answered 400 unknown_server for %j, with or without a game server there", async server => {
    expect(await link({ username: "Steve", server })).toEqual(UNKNOWN);
    await online(main, "Steve");
    expect(await link({ username: "Steve", server })).toEqual(UNKNOWN);
    expect(await linked()).toEqual({ status: "not_linked" });
  });
});

describe("GET /linked-player", () => {
  it("has the player's data of the game server on which the player is", async () => {
    await online(main);
    await online(lobby, "Steve");
    await found(lobby, { username: "Steve" });
    const [form] = (await lobby.connect("next run")).links;
    await lobby.report({ is: "answered", request: form?.request ?? "", accepted: true });
    const data = async (): Promise<unknown> => ((await linked()) as { playerData?: object }).playerData;
    const health = (health: number) => ({
      ...({ is: "snapshot", tps: 20, part: 0, parts: 1 } as const),
      rows: [row("Steve", { health })],
    });
    await lobby.report(health(7));
    expect(await data()).toMatchObject({ name: "Steve", health: 7 });
    await main.report(health(3));
    expect(await data()).toMatchObject({ health: 7 });
    await lobby.snapshot();
    await main.report(health(3));
    expect(await data()).toMatchObject({ health: 3 });
    side.clock.advance(15_000);
    expect(await linked()).toEqual({ status: "accepted" });
  });
});

it("POST /link-player knows the only game server by its name, and no other", async () => {
  await side.start();
  ({ cookie } = await side.session());
  await online(main, "Steve");
  expect(await link({ username: "Steve", server: "lobby" })).toEqual(UNKNOWN);
  expect(await found(main, { username: "Steve", server: "main" })).toEqual(SENT);
});

it("the question to a player names the game server that asks, where there are several", async () => {
  const { texts, languages } = await lobby.connect();
  expect(texts["api.link-prompt-body"]).toMatch(/\nGame server lobby\.$/);
  expect(texts["api.sign-in-prompt-body"]).toMatch(/\nGame server lobby\.$/);
  for (const { texts: own } of languages) expect(own["api.link-prompt-body"]).toMatch(/\n.*lobby.*$/);
  await side.start();
  expect((await main.connect()).texts["api.link-prompt-body"]).not.toContain("main");
});

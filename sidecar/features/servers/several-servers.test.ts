import { beforeEach, describe, expect, it } from "@jest/globals";
import { refusedUpgrade } from "../../../test/helpers/chat-socket.ts";
import { errorBody } from "../../../test/helpers/errors.ts";
import { short } from "../../../test/helpers/event-stream.ts";
import { FakePack, row, said } from "../../../test/helpers/fake-pack.ts";
import { serving } from "../../../test/helpers/serving.ts";

const LOBBY = "token-of-the-lobby-0123456789-abcdefgh";
const SERVERS = `servers: [{ name: lobby, token: "${LOBBY}" }]`;

const side = serving();
const { pack } = side;
let lobby: FakePack;
async function start(yaml = SERVERS): Promise<void> {
  await side.start({ yaml });
  lobby = new FakePack(() => side.bridge, LOBBY);
  await pack.connect();
  await pack.snapshot("Steve");
  if (yaml === "") return;
  await lobby.connect("run of the lobby");
  await lobby.snapshot("Alex");
}
beforeEach(() => start());

const chat = (text: string) => ({ type: "CHAT", content: text });
const refusal = async (path: string, headers: Record<string, string> = {}): Promise<unknown[]> => {
  const { status, body } = await refusedUpgrade(`${side.base}${path}`, headers);
  return [status, JSON.parse(body).error];
};

describe("a chat socket of several game servers", () => {
  it("receives messages of all of them, or of one: that server's, web messages to it and those to all", async () => {
    const all = await side.socket();
    const [main, other] = [await side.socket({}, "?server=main"), await side.socket({}, "?server=lobby")];
    await pack.report(said("in main"));
    await lobby.report(said("in the lobby"));
    const [inMain, inLobby] = ["in main", "in the lobby"].map(text => chat(`§§<Steve> §§${text}`));
    expect([await all.next(), await all.next()]).toEqual([inMain, inLobby]);
    expect(await main.settled()).toEqual([inMain]);
    expect(await other.settled()).toEqual([inLobby]);
    other.say("to the lobby");
    expect(await all.next()).toEqual(chat("to the lobby"));
    expect((await lobby.carryOut("done")).body).toEqual({
      do: "chat",
      text: "§7[Web]§r <Guest> to the lobby",
    });
    all.say("to all");
    expect([await main.next(), await other.next()]).toEqual([chat("to all"), chat("to all")]);
    for (const each of [pack, lobby])
      expect((await each.carryOut("done")).body).toEqual({ do: "chat", text: "§7[Web]§r <Guest> to all" });
    expect([await main.settled(), await other.settled(), await all.settled()]).toEqual([[], [], []]);
  });

  it.each(["?server=nope", "?server=", "?server=lobby&server=lobby", "?server=Lobby", "?server=lobby%00"])(
    "is refused with %s",
    async query => {
      expect(await refusal(`/chat${query}`)).toEqual([404, "unknown_server"]);
    },
  );
});

const json = async (query = ""): Promise<{ event: string; server?: string }[]> =>
  (await side.ask(`/events?format=json${query}`)).json as { event: string; server?: string }[];
const places = async (query = ""): Promise<string[]> =>
  (await json(`${query}`)).map(({ event, server }) => `${server ?? "all"} ${event}`);

describe("the feed of several game servers", () => {
  it("has the events of the selected one and web messages to it or to all, with the same ids", async () => {
    await pack.report(said("in main"));
    await lobby.report(said("in the lobby"));
    const [all, one] = [await side.socket(), await side.socket({}, "?server=lobby")];
    all.say("to all");
    await all.settled();
    one.say("to the lobby");
    await one.settled();
    const whole = await json();
    expect(whole).toHaveLength(8);
    const picked = await json("&server=lobby");
    expect(picked).toEqual(whole.filter(({ server = "lobby" }) => server === "lobby"));
    expect(await places("&server=main")).toEqual(["main server", "main join", "main chat", "all chat"]);
    expect(await places("&server=lobby&types=chat")).toEqual(["lobby chat", "all chat", "lobby chat"]);
    // Asked again and again, none is taken for another.
    expect(await json("&server=lobby")).toEqual(picked);
    expect(await json()).toEqual(whole);
  });

  it("continues after an id of another game server with the missed events of the selected one", async () => {
    await pack.report(said("a"));
    await lobby.report(said("b"));
    const [, , , , id] = (await json()).map(event => ("id" in event ? String(event.id) : ""));
    await pack.report(said("c"));
    await lobby.report(said("d"));
    const reader = await side.stream("?server=lobby&types=chat", { "Last-Event-ID": id ?? "" });
    expect(short(await reader.next(2))).toEqual(["b", "d"]);
    const other = await side.stream(`?server=main&types=chat&since=${id}`);
    await pack.report(said("e"));
    await lobby.report(said("f"));
    expect(short(await reader.next())).toEqual(["f"]);
    expect(short(await other.next(2))).toEqual(["c", "e"]);
    side.clock.advance(20_000);
    // It knows the place of what came last, though that was not for it.
    await lobby.report(said("g"));
    expect(short(await reader.next())).toEqual(["g"]);
  });

  it.each(["nope", "", "lobby&server=lobby", "Lobby"])("is not read with server=%s", async server => {
    for (const path of [`/events?server=${server}`, `/events?format=json&server=${server}`])
      expect(await side.said(path)).toEqual([400, errorBody("invalid_query")]);
  });
});

describe("the link of a session, of several game servers", () => {
  let cookie: string;
  beforeEach(async () => {
    await side.start(SERVERS);
    lobby = new FakePack(side.bridge, LOBBY);
    ({ cookie } = await side.session());
  });

  const online = async (pack: FakePack, ...names: string[]): Promise<void> => {
    if (pack.session === "") await pack.connect();
    await pack.snapshot(...names);
  };
  const link = (body: object) => side.said("/link-player", { cookie, body });
  const linked = async () => (await side.ask("/linked-player", { cookie })).json;
  const UNKNOWN = [400, errorBody("unknown_server")];
  const SENT = [202, { status: "verification_sent" }];
  /** What is answered to a request that reaches Steve there. */
  async function found(pack: FakePack, body: object): Promise<unknown> {
    const pending = link(body);
    await pack.carryOut("done", { player: row("Steve").player });
    return pending;
  }

  describe("POST /link-player with a game server", () => {
    it.each(["Lobby", "lobby ", "", "__proto__", 0, ["lobby"], { name: "lobby" }])(
      "is answered 400 unknown_server for %j, with or without a game server there",
      async server => {
        expect(await link({ username: "Steve", server })).toEqual(UNKNOWN);
        await online(pack, "Steve");
        expect(await link({ username: "Steve", server })).toEqual(UNKNOWN);
        expect(await linked()).toEqual({ status: "not_linked" });
      },
    );
  });

  describe("GET /linked-player", () => {
    it("has the player's data from the game server where they are online", async () => {
      await online(pack);
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
      await pack.report(health(3));
      expect(await data()).toMatchObject({ health: 7 });
      await lobby.snapshot();
      await pack.report(health(3));
      expect(await data()).toMatchObject({ health: 3 });
      side.clock.advance(15_000);
      expect(await linked()).toEqual({ status: "accepted" });
    });
  });

  it("POST /link-player knows the only game server by its name, and no other", async () => {
    await side.start();
    ({ cookie } = await side.session());
    await online(pack, "Steve");
    expect(await link({ username: "Steve", server: "lobby" })).toEqual(UNKNOWN);
    expect(await found(pack, { username: "Steve", server: "main" })).toEqual(SENT);
  });

  it("a link request names the game server, where there are several", async () => {
    const { texts, languages } = await lobby.connect();
    expect(texts["api.link-prompt-body"]).toMatch(/\nGame server: lobby\.$/);
    expect(texts["api.sign-in-prompt-body"]).toMatch(/\nGame server: lobby\.$/);
    for (const { texts: own } of languages) expect(own["api.link-prompt-body"]).toMatch(/\n.*lobby.*$/);
    await side.start();
    expect((await pack.connect()).texts["api.link-prompt-body"]).not.toContain("main");
  });
});

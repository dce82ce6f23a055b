import { beforeEach, describe, expect, it } from "@jest/globals";
import { refusedUpgrade } from "../helpers/chat-socket.ts";
import { FakePack, hello } from "../helpers/fake-pack.ts";
import { serving } from "../helpers/serving.ts";
import { said, short } from "./feeding.ts";

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

const heard = (text: string) => ({ type: "CHAT", content: text });
const refusal = async (path: string, headers: Record<string, string> = {}): Promise<unknown[]> => {
  const { status, body } = await refusedUpgrade(`${side.base}${path}`, headers);
  return [status, JSON.parse(body).error];
};

describe("a chat socket of several game servers", () => {
  it("hears all of them, and of one alone that one, its web lines and those to all", async () => {
    const all = await side.socket();
    const [main, other] = [await side.socket({}, "?server=main"), await side.socket({}, "?server=lobby")];
    await pack.report(said("in main"));
    await lobby.report(said("in the lobby"));
    const [inMain, inLobby] = ["in main", "in the lobby"].map(text => heard(`§§<Steve> §§${text}`));
    expect([await all.next(), await all.next()]).toEqual([inMain, inLobby]);
    expect(await main.settled()).toEqual([inMain]);
    expect(await other.settled()).toEqual([inLobby]);
    other.say("to the lobby");
    expect(await all.next()).toEqual(heard("to the lobby"));
    expect((await lobby.carryOut("done")).body).toEqual({
      do: "chat",
      text: "§7[Web]§r <Guest> to the lobby",
    });
    all.say("to all");
    expect([await main.next(), await other.next()]).toEqual([heard("to all"), heard("to all")]);
    for (const each of [pack, lobby])
      expect((await each.carryOut("done")).body).toEqual({ do: "chat", text: "§7[Web]§r <Guest> to all" });
    expect([await main.settled(), await other.settled(), await all.settled()]).toEqual([[], [], []]);
  });

  it("gets lines of one moment together, each those that it hears", async () => {
    const all = await side.socket();
    const [main, other] = [await side.socket({}, "?server=main"), await side.socket({}, "?server=lobby")];
    main.say("a");
    other.say("b");
    all.say("c");
    const lines = [await all.next(), await all.next()].map(({ content }) => content);
    expect(lines.toSorted()).toEqual(["a", "b"]);
    expect([await main.next(), await other.next()]).toEqual([heard("c"), heard("c")]);
    for (const socket of [all, main, other]) expect(await socket.settled()).toEqual([]);
  });

  it("hears that its game server is away where that is the one it speaks to, though others are there", async () => {
    const [all, one] = [await side.socket(), await side.socket({}, "?server=lobby")];
    side.clock.advance(15_000);
    await pack.snapshot("Steve");
    one.say("hi");
    expect(await one.next()).toEqual({ type: "EXCEPTION", content: "server unavailable" });
    expect(await all.next()).toEqual(heard("hi"));
    all.say("you");
    await pack.carryOut("done");
    expect(await all.settled()).toEqual([]);
  });

  it.each(["?server=nope", "?server=", "?server=lobby&server=lobby", "?server=Lobby", "?server=lobby%00"])(
    "is refused with %s",
    async query => {
      expect(await refusal(`/chat${query}`)).toEqual([404, "unknown_server"]);
    },
  );

  it("is refused for its origin and its path before, and is one of the only game server, too", async () => {
    expect(await refusal("/chat?server=nope", { Origin: "https://evil.example" })).toEqual([
      403,
      "origin_not_allowed",
    ]);
    expect(await refusal("/other?server=nope")).toEqual([404, "not_found"]);
    await start("");
    expect(await refusal("/chat?server=lobby")).toEqual([404, "unknown_server"]);
    const [one, all] = [await side.socket({}, "?server=main"), await side.socket()];
    await pack.report(said("hi"));
    expect([await one.next(), await all.next()]).toEqual([heard("§§<Steve> §§hi"), heard("§§<Steve> §§hi")]);
    one.say("you");
    expect(await all.next()).toEqual(heard("you"));
    await pack.carryOut("done");
    expect(await one.settled()).toEqual([]);
  });
});

const json = async (query = ""): Promise<{ event: string; server?: string }[]> =>
  (await side.ask(`/events?format=json${query}`)).json as { event: string; server?: string }[];
const places = async (query = ""): Promise<string[]> =>
  (await json(`${query}`)).map(({ event, server }) => `${server ?? "all"} ${event}`);

it("names the game server whose pack speaks another wire version", async () => {
  const body = { ...hello("another run"), wire: 99, wireOldest: 99 };
  expect((await lobby.post("/bridge/hello", body)).status).toBe(426);
  expect(side.log.of("error")).toMatchObject([{ fields: { server: "lobby" } }]);
});

describe("the feed of several game servers", () => {
  it("has what happens on the one that is picked, and what is written to it or to all, under the same ids", async () => {
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

  it("goes on after an id of another game server, with what was missed of the one that is picked", async () => {
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

  it("tells figures and players of the one that is picked, and of the first one where none is", async () => {
    const names = (events: readonly { event: string; data: unknown }[]): unknown =>
      events.map(({ data }) => (data as { name: string }[]).map(({ name }) => name));
    const streams = await Promise.all(
      ["", "&server=main", "&server=lobby"].map(server => side.stream(`?types=players${server}`)),
    );
    const told = (): Promise<unknown[]> =>
      Promise.all(streams.map(async stream => names(await stream.next())));
    expect(await told()).toEqual([[["Steve"]], [["Steve"]], [["Alex"]]]);
    await pack.snapshot("Eve");
    await lobby.snapshot("Alex", "Tom");
    expect(await told()).toEqual([[["Eve"]], [["Eve"]], [["Alex", "Tom"]]]);
  });

  it.each(["nope", "", "lobby&server=lobby", "Lobby"])("is not read with server=%s", async server => {
    for (const path of [`/events?server=${server}`, `/events?format=json&server=${server}`])
      expect(await side.said(path)).toEqual([400, { error: "invalid_query" }]);
  });

  it("is read with the name of the only game server, too, and what it kept is the first one's", async () => {
    await start("");
    await pack.report(said("a"));
    expect(await places("&server=main")).toEqual(["all server", "all join", "all chat"]);
    expect(await side.said("/events?format=json&server=lobby")).toEqual([400, { error: "invalid_query" }]);
  });
});

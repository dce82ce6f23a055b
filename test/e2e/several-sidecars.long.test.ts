import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "@jest/globals";
import { Balancer } from "../../lab/scale/balancer.ts";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { type Ask, ask, newSession } from "../helpers/client.ts";
import { ManualClock } from "../helpers/clock.ts";
import { EventStream } from "../helpers/event-stream.ts";
import { eventually } from "../helpers/eventually.ts";
import { FakePack, row, said } from "../helpers/fake-pack.ts";
import { RecordingLog } from "../helpers/log.ts";
import { needs } from "../helpers/needs.ts";
import { hasRedis, redisForTests, slowRetryClock } from "../helpers/redis.ts";
import { createEnds } from "../helpers/redis-sides.ts";
import { moderators, namesOf, startTestSidecar, type TestSidecar, testConfig } from "../helpers/sidecar.ts";
import { signingIn } from "../helpers/sign-in.ts";

const LOBBY = "token-of-the-lobby-0123456789-abcdefgh";
const YAML = `
modules.api: { chat: { relay: true }, known-players: { show: everybody } }
servers: [{ name: lobby, token: "${LOBBY}" }]
`;
const STEVE = row("Steve").player;

needs("redis-server", hasRedis).describe("three sidecars on one Redis", () => {
  const redis = redisForTests();
  const ends = createEnds();
  let clock: ManualClock;
  let sides: TestSidecar[];
  let main: FakePack;
  let lobby: FakePack;

  /** Three sidecars with these settings, and with their own prefix. */
  async function start(yaml = YAML): Promise<void> {
    clock = new ManualClock();
    const [prefix, env] = [randomUUID(), moderators()];
    const servers = namesOf(testConfig({ yaml, env }));
    sides = [];
    for (let i = 0; i < 3; i++) {
      const shared = await redis.open({ clock, prefix, servers, machine: slowRetryClock });
      const side = await startTestSidecar({ yaml, env }, clock, new RecordingLog(), shared);
      ends(() => side.stop());
      sides.push(side);
    }
  }

  const at = (i: number): TestSidecar => {
    const side = sides[i];
    if (!side) throw new Error(`there is no sidecar ${i}`);
    return side;
  };
  const from = (i: number, path: string, options?: Ask) => ask(at(i).base, path, options);
  /** Every sidecar gives this response. */
  const everywhere = (path: string, json: unknown, options?: Ask): Promise<void> =>
    eventually(async () => {
      for (const { base } of sides) expect((await ask(base, path, options)).json).toEqual(json);
    });
  const socketAt = async (i: number): Promise<ChatSocket> => {
    const socket = await ChatSocket.open(at(i).base);
    ends(() => socket.ws.terminate());
    return socket;
  };

  /** The pack of each game server is connected to its own sidecar; the third sidecar has none. */
  beforeEach(async () => {
    await start();
    main = new FakePack(at(0).bridge);
    lobby = new FakePack(at(1).bridge, LOBBY);
    await main.connect("run of main");
    await lobby.connect("run of the lobby");
    await main.snapshot("Steve");
    await lobby.snapshot("Alex");
  });

  it("link a browser that sent its request to one of them, through another, and know the link until it is removed", async () => {
    const { cookie } = await newSession(at(2).base);
    await everywhere("/linked-player", { status: "not_linked" }, { cookie });
    const pending = from(2, "/link-player", { cookie, body: { username: "Steve", server: "main" } });
    const { id } = await main.carryOut("done", { player: STEVE });
    expect((await pending).status).toBe(202);
    await everywhere("/linked-player", expect.objectContaining({ status: "pending" }), { cookie });
    main.goTo(at(1).bridge);
    await main.report({ is: "answered", request: id, accepted: true });
    await eventually(async () => {
      for (const { base } of sides) {
        const { status, playerData } = Object((await ask(base, "/linked-player", { cookie })).json);
        expect([status, playerData?.name]).toEqual(["accepted", "Steve"]);
      }
    });
    expect((await from(0, "/unlink-player", { cookie, method: "POST" })).status).toBe(200);
    await everywhere("/linked-player", { status: "not_linked" }, { cookie });
  });

  it("have one chat: a message of the website or a game reaches the sockets of all, and each game server once", async () => {
    const sockets = [await socketAt(0), await socketAt(1), await socketAt(2)];
    const [speaker, ...others] = sockets.reverse();
    speaker?.say("from the website");
    for (const other of others)
      expect(await other.next()).toEqual({ type: "CHAT", content: "from the website" });
    for (const pack of [main, lobby])
      expect((await pack.carryOut("done")).body).toMatchObject({
        text: "§7[Web]§r <Guest> from the website",
      });
    await main.report(said("from the game"));
    for (const socket of sockets)
      expect(await socket.next()).toEqual({ type: "CHAT", content: "§§<Steve> §§from the game" });
    // The relay between game servers.
    expect((await lobby.carryOut("done")).body).toMatchObject({ text: "§7[main]§r <Steve> from the game" });
    for (const socket of sockets) expect(socket.unread()).toEqual([]);
  });

  it("have one feed: the same ids in the same order, which continues at another sidecar", async () => {
    const content = (text: string): string => `§§<Steve> §§${text}`;
    const streams = await Promise.all(sides.map(({ base }) => EventStream.open(base, "?types=chat")));
    for (const stream of streams) ends(() => stream.close());
    await main.report(said("one"));
    main.goTo(at(2).bridge);
    await main.report(said("two"));
    const receivedBy = (stream?: EventStream) =>
      stream?.events.flatMap(({ event, id, data }) => (event === "chat" ? [[id, data]] : []));
    await eventually(() => {
      for (const stream of streams) expect(receivedBy(stream)).toHaveLength(2);
    });
    for (const stream of streams) expect(receivedBy(stream)).toEqual(receivedBy(streams[0]));
    const [id] = receivedBy(streams[0])?.[0] ?? [];
    const missed = (
      await from(1, `/events?types=chat&since=${id}`, { headers: { Accept: "application/json" } })
    ).json;
    expect(missed).toEqual([expect.objectContaining({ content: content("two") })]);
  });

  it("sign a player in, with each step at another sidecar", async () => {
    const pack = new FakePack(() => at(0).bridge);
    const sites = signingIn({
      pack,
      async start(options, players = []) {
        if (typeof options !== "object") return;
        await start(options.yaml);
        const targets = sides.map(({ base }, i) => ({ name: `${i}`, url: base }));
        const balancer = await Balancer.open({ targets, port: options.publicPort ?? 0, addresses: "kept" });
        ends(() => balancer.close());
        await pack.connect();
        await pack.snapshot(...players);
      },
    });
    await sites.start();
    const { tokens, authRequest, location } = await sites.whole();
    expect(tokens.claims()).toMatchObject({ name: "Steve" });
    await expect(sites.back(authRequest, location)).rejects.toMatchObject({ error: "invalid_grant" });
  });
});

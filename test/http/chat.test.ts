import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ChatSocket, refusedUpgrade } from "../helpers/chat-socket.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { type Options, startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

let bridge: TestSidecar;
let pack: FakePack;
const sockets: ChatSocket[] = [];

async function start(options: Options = {}): Promise<void> {
  bridge = await startTestSidecar({
    env: { WEB_BRIDGE_MODULES_API_CORS_ORIGINS: "https://site.example" },
    ...options,
  });
  pack = new FakePack(bridge.bridge);
  await pack.connect();
  await pack.snapshot("Steve");
}
async function connect(headers: Record<string, string> = {}): Promise<ChatSocket> {
  const socket = await ChatSocket.open(bridge.base, headers);
  sockets.push(socket);
  return socket;
}

beforeEach(() => start());
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.ws.terminate();
  await bridge.stop();
});

const BAD = { type: "EXCEPTION", content: "bad message" };

describe("a chat socket", () => {
  it("is greeted", async () => {
    const socket = await connect();
    expect(socket.received).toEqual([{ type: "VERIFICATION", content: "Connection successful." }]);
  });

  it("hears what is said in the game, in colours", async () => {
    const [one, two] = [await connect(), await connect()];
    await pack.report({ is: "said", name: "§cSteve§r", text: "hi §aall" });
    const line = { type: "CHAT", content: "§§<§#ff5555Steve§§> §§hi §#55ff55all" };
    expect(await one.next()).toEqual(line);
    expect(await two.next()).toEqual(line);
  });

  it("hears all lines of one tick in their order, more of them than may wait for it too", async () => {
    await bridge.stop();
    await start({ yaml: "modules: {api: {limits: {websocket-buffer-bytes: 1024}}}" });
    const socket = await connect();
    const texts = Array.from({ length: 25 }, (_, i) => `${i} ${"x".repeat(200)}`);
    await pack.report(...texts.map(text => ({ is: "said" as const, name: "Steve", text })));
    for (const text of texts)
      expect(await socket.next()).toEqual({ type: "CHAT", content: `§§<Steve> §§${text}` });
  });

  it("is heard in the game and by the other sockets, and not by itself", async () => {
    const [one, two] = [await connect(), await connect()];
    one.say("hi §4there\n");
    expect(await two.next()).toEqual({ type: "CHAT", content: "hi §4there\n" });
    const action = await pack.carryOut("done");
    expect(action.body).toEqual({ do: "chat", text: "§7[Web]§r <Guest> hi there" });
    expect(await one.settled()).toEqual([]);
  });

  it("gets a PONG for a PING, and nothing for a PONG", async () => {
    const socket = await connect();
    socket.send({ type: "PONG", content: "" });
    socket.send({ type: "PING", content: "x" });
    expect(await socket.next()).toEqual({ type: "PONG", content: "heartbeat pong" });
  });

  it("gets a PING at every heartbeat and stays when it never answers", async () => {
    const socket = await connect();
    for (let i = 0; i < 5; i++) {
      bridge.clock.advance(20_000);
      expect(await socket.next()).toEqual({ type: "PING", content: "heartbeat ping" });
    }
    expect(await socket.settled()).toEqual([]);
  });

  it.each([
    ["no JSON", "{"],
    ["null", "null"],
    ["an array", "[]"],
    ["a missing type", { content: "hi" }],
    ["an unknown type", { type: "chat", content: "hi" }],
    ["a type that only the service sends", { type: "VERIFICATION", content: "hi" }],
    ["an EXCEPTION", { type: "EXCEPTION", content: "hi" }],
    ["a missing content", { type: "CHAT" }],
    ["a content that is no text", { type: "CHAT", content: 1 }],
    ["a CHAT over the length", { type: "CHAT", content: "x".repeat(513) }],
    ["a much longer CHAT", { type: "CHAT", content: "x".repeat(120_000) }],
    ["a binary frame", Buffer.from('{"type":"CHAT","content":"hi"}')],
    ["a CHAT of nothing that can be shown", { type: "CHAT", content: "§a\u200b" }],
  ])("gets `bad message` for %s, and stays", async (_what, value) => {
    const [socket, other] = [await connect(), await connect()];
    socket.send(value);
    expect(await socket.next()).toEqual(BAD);
    expect(await socket.settled()).toEqual([]);
    expect(await other.settled()).toEqual([]);
  });

  it("is closed with 1009 by a frame that is larger than any message", async () => {
    const [socket, other] = [await connect(), await connect()];
    socket.say("x".repeat(140_000));
    expect(await socket.closed).toBe(1009);
    expect(await other.settled()).toEqual([]);
  });

  it("takes a CHAT at the length", async () => {
    const [socket, other] = [await connect(), await connect()];
    socket.say("x".repeat(512));
    expect((await other.next()).content).toHaveLength(512);
  });

  it("hears what became of each of its lines before the answer to a PING behind them", async () => {
    const socket = await connect();
    bridge.clock.advance(15_000);
    for (const line of ["one", "two"]) socket.say(line);
    const missed = { type: "EXCEPTION", content: "server unavailable" };
    expect(await socket.settled()).toEqual([missed, missed]);
  });

  it("hears when its line did not get into the game after all", async () => {
    const socket = await connect();
    socket.say("hi");
    await socket.settled();
    bridge.clock.advance(10_000);
    expect(await socket.next()).toEqual({ type: "EXCEPTION", content: "server unavailable" });
  });

  it("is told when it is over its rate, and then goes on", async () => {
    const [socket, other] = [await connect(), await connect()];
    for (let i = 0; i < 25; i++) socket.say(`${i}`);
    // A busy machine reads them in two pieces, with a pause of the clock in between.
    const pauses = setInterval(() => bridge.clock.advance(51), 200);
    for (let i = 0; i < 5; i++)
      expect(await socket.next()).toEqual({ type: "EXCEPTION", content: "rate limited" });
    clearInterval(pauses);
    for (let i = 0; i < 20; i++) expect(await other.next()).toEqual({ type: "CHAT", content: `${i}` });
    bridge.clock.advance(1_000);
    socket.say("later");
    expect(await other.next()).toEqual({ type: "CHAT", content: "later" });
  });
});

describe("the sockets of one address", () => {
  it("share a rate of chat", async () => {
    await bridge.stop();
    await start({ yaml: "modules: {api: {limits: {messages-per-minute-per-address: 2}}}" });
    const [one, two] = [await connect(), await connect()];
    one.say("a");
    one.say("b");
    await one.settled();
    two.say("c");
    expect((await two.settled()).at(-1)).toEqual({ type: "EXCEPTION", content: "rate limited" });
    bridge.clock.advance(30_000);
    two.say("d");
    expect((await one.settled()).at(-1)).toEqual({ type: "CHAT", content: "d" });
  });
});

describe("an upgrade", () => {
  it.each([
    ["of another origin", "/chat", { Origin: "https://evil.example" }, 403, "origin_not_allowed"],
    ["of the origin null", "/chat", { Origin: "null" }, 403, "origin_not_allowed"],
    ["of another path", "/other", {}, 404, "not_found"],
    ["of a bridge path", "/bridge/poll", {}, 404, "not_found"],
  ])("%s is refused", async (_what, path, headers, status, error) => {
    const refused = await refusedUpgrade(`${bridge.base}${path}`, headers as Record<string, string>);
    expect([refused.status, JSON.parse(refused.body)]).toEqual([status, { error }]);
  });

  it("of a listed origin, of the own one and of none is taken", async () => {
    for (const headers of [{ Origin: "https://site.example" }, { Origin: bridge.base }, {}])
      expect((await connect(headers as Record<string, string>)).received).toHaveLength(1);
  });

  it("over the number of clients is refused with 503", async () => {
    await bridge.stop();
    await start({ yaml: "modules: {api: {limits: {websocket-clients: 1}}}" });
    const first = await connect();
    const refused = await refusedUpgrade(`${bridge.base}/chat`);
    expect([refused.status, JSON.parse(refused.body)]).toEqual([503, { error: "too_many_connections" }]);
    await first.close();
    await connect();
  });

  it("over the number of one address is refused with 503", async () => {
    await bridge.stop();
    await start({ yaml: "modules: {api: {limits: {websocket-clients-per-address: 2}}}" });
    const first = await connect();
    await connect();
    expect((await refusedUpgrade(`${bridge.base}/chat`)).status).toBe(503);
    await first.close();
    await connect();
  });

  it("over the rate of an address is refused with 429", async () => {
    await bridge.stop();
    await start({ yaml: "modules: {api: {limits: {requests-per-minute: 1}}}" });
    await connect();
    expect((await refusedUpgrade(`${bridge.base}/chat`)).status).toBe(429);
  });
});

describe("a client that does not read", () => {
  it("is closed when its unsent bytes pass the limit, and nobody else waits", async () => {
    await bridge.stop();
    await start({ yaml: "modules: {api: {limits: {websocket-buffer-bytes: 65536}}}" });
    const [slow, other] = [await connect(), await connect()];
    slow.ws.pause();
    const facts = Array.from({ length: 25 }, () => ({
      is: "said" as const,
      name: "Steve",
      text: "x".repeat(2_000),
    }));
    // The kernel holds some megabytes of its own before bytes stay unsent.
    for (let i = 0; i < 500 && !bridge.log.text.includes("does not read"); i++) await pack.report(...facts);
    expect(bridge.log.text).toContain("closed a chat socket that does not read");
    await pack.report({ is: "said", name: "Steve", text: "last" });
    const heard = await other.settled();
    expect(heard.at(-1)).toEqual({ type: "CHAT", content: "§§<Steve> §§last" });
    expect(heard).toHaveLength(pack.seq - 2);
  });
});

describe("a stop of the service", () => {
  it("closes every socket with 1001", async () => {
    const [one, two] = [await connect(), await connect()];
    await bridge.stop();
    expect(await Promise.all([one.closed, two.closed])).toEqual([1001, 1001]);
    await start();
  });
});

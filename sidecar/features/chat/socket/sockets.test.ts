import { beforeEach, describe, expect, it } from "@jest/globals";
import { refusedUpgrade } from "../../../../test/helpers/chat-socket.ts";
import { errorBody } from "../../../../test/helpers/errors.ts";
import { STEVE, said } from "../../../../test/helpers/fake-pack.ts";
import { serving } from "../../../../test/helpers/serving.ts";

const SITE = "https://site.example";
const BAD = { type: "EXCEPTION", content: "bad message" };
const MISSED = { type: "EXCEPTION", content: "server unavailable" };

const side = serving();
const { pack } = side;
const start = (limits = ""): Promise<void> =>
  side.api(`cors-origins: ["${SITE}"], limits: {${limits}}`, ["Steve"]);
beforeEach(() => start());

describe("a chat socket", () => {
  it("gets a greeting, and the game's chat in colours", async () => {
    const [one, two] = [await side.socket(), await side.socket()];
    expect(one.received).toEqual([{ type: "VERIFICATION", content: "Connection successful." }]);
    await pack.report({ is: "said", name: "§cSteve§r", text: "hi §aall" });
    const line = { type: "CHAT", content: "§§<§#ff5555Steve§§> §§hi §#55ff55all" };
    expect([await one.next(), await two.next()]).toEqual([line, line]);
  });

  it("receives all messages of one tick in order, even beyond its queue limit", async () => {
    await start("websocket-buffer-bytes: 1024");
    const socket = await side.socket();
    const texts = Array.from({ length: 25 }, (_, i) => `${i} ${"x".repeat(200)}`);
    await pack.report(...texts.map(text => said(text)));
    for (const text of texts)
      expect(await socket.next()).toEqual({ type: "CHAT", content: `§§<Steve> §§${text}` });
  });

  it("sends messages to the game and the other sockets but not itself, up to the maximum length", async () => {
    const [one, two] = [await side.socket(), await side.socket()];
    one.say("hi §4there\n");
    expect(await two.next()).toEqual({ type: "CHAT", content: "hi §4there\n" });
    expect((await pack.carryOut("done")).body).toEqual({ do: "chat", text: "§7[Web]§r <Guest> hi there" });
    one.say("x".repeat(512));
    expect((await two.next()).content).toHaveLength(512);
    expect(await one.settled()).toEqual([]);
  });

  it("gets a PONG for a PING, and nothing for a PONG", async () => {
    const socket = await side.socket();
    socket.send({ type: "PONG", content: "" });
    socket.send({ type: "PING", content: "x" });
    expect(await socket.next()).toEqual({ type: "PONG", content: "heartbeat pong" });
  });

  it("gets a PING at every heartbeat and stays when it never answers", async () => {
    const socket = await side.socket();
    for (let i = 0; i < 5; i++) {
      side.clock.advance(20_000);
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
    const [socket, other] = [await side.socket(), await side.socket()];
    socket.send(value);
    expect(await socket.next()).toEqual(BAD);
    expect([await socket.settled(), await other.settled()]).toEqual([[], []]);
  });

  it("is closed with 1009 by a frame that is larger than any message", async () => {
    const [socket, other] = [await side.socket(), await side.socket()];
    socket.say("x".repeat(140_000));
    expect(await socket.closed).toBe(1009);
    expect(await other.settled()).toEqual([]);
  });

  it("is notified of each message that did not reach the game, before the PONG for a later PING", async () => {
    const socket = await side.socket();
    socket.say("hi");
    await socket.settled();
    side.clock.advance(10_000);
    expect(await socket.next()).toEqual(MISSED);
    side.clock.advance(5_000);
    for (const line of ["one", "two"]) socket.say(line);
    expect(await socket.settled()).toEqual([MISSED, MISSED]);
  });
});

describe("an upgrade", () => {
  const refusal = async (path = "/chat", headers: Record<string, string> = {}): Promise<unknown[]> => {
    const { status, body } = await refusedUpgrade(`${side.base}${path}`, headers);
    return [status, JSON.parse(body).error];
  };

  it.each<[string, string, Record<string, string>, number, string]>([
    ["of another origin", "/chat", { Origin: "https://evil.example" }, 403, "origin_not_allowed"],
    ["of the origin null", "/chat", { Origin: "null" }, 403, "origin_not_allowed"],
    ["of another path", "/other", {}, 404, "not_found"],
    ["of a bridge path", "/bridge/poll", {}, 404, "not_found"],
  ])("%s is rejected", async (_what, path, headers, status, error) => {
    expect(await refusal(path, headers)).toEqual([status, error]);
  });

  it("is accepted from a listed origin, its own origin and without one", async () => {
    for (const headers of [{ Origin: SITE }, { Origin: side.base }, undefined])
      expect((await side.socket(headers)).received).toHaveLength(1);
  });
});

describe("a client that does not read", () => {
  it("is closed when its unsent bytes exceed the limit, and delays no other", async () => {
    await start("websocket-buffer-bytes: 65536");
    const [slow, other] = [await side.socket(), await side.socket()];
    slow.ws.pause();
    const facts = Array.from({ length: 25 }, () => said("x".repeat(2_000)));
    // The kernel buffers some megabytes before bytes stay unsent.
    for (let i = 0; i < 500 && !side.log.text.includes("does not read"); i++) await pack.report(...facts);
    expect(side.log.text).toContain("Closed a chat socket that does not read");
    await pack.report(said("last"));
    const received = await other.settled();
    expect(received.at(-1)).toEqual({ type: "CHAT", content: "§§<Steve> §§last" });
    expect(received).toHaveLength(pack.seq - 2);
  });
});

it("a stop of the service closes every socket with 1001", async () => {
  const [one, two] = [await side.socket(), await side.socket()];
  await side.shut();
  expect(await Promise.all([one.closed, two.closed])).toEqual([1001, 1001]);
});

const startWith = (mode: string): Promise<void> =>
  side.api(`chat: {web: ${mode}}`, ["Steve"], {
    webFiles: [{ path: "index.html", content: Buffer.from("<!doctype html><title>x</title>") }],
  });
/** Sets the mode as an operator, who gets a reply. */
async function set(mode: "everybody" | "linked" | "read-only" | "off"): Promise<void> {
  await pack.report({ is: "webchat", by: STEVE, mode });
  expect((await pack.carryOut("done")).body).toMatchObject({ do: "tell", player: STEVE });
}
const modeOfConsole = async (): Promise<unknown> =>
  ((await side.ask("/console.json")).json as { webChat: unknown }).webChat;

describe("the mode off", () => {
  it.each(["off", "false"])("refuses every upgrade with 404, written as %s", async mode => {
    await startWith(mode);
    const { status, body } = await refusedUpgrade(`${side.base}/chat`);
    expect([status, JSON.parse(body)]).toEqual([404, errorBody("not_found")]);
    expect(await modeOfConsole()).toBe("off");
  });

  it("closes the open sockets with 1001 when it starts, and none after it ends, and the console shows both", async () => {
    await startWith("everybody");
    const [one, two] = [await side.socket(), await side.socket()];
    await set("off");
    expect(await Promise.all([one.closed, two.closed])).toEqual([1001, 1001]);
    expect((await refusedUpgrade(`${side.base}/chat`)).status).toBe(404);
    await set("everybody");
    expect(await modeOfConsole()).toBe("everybody");
    const three = await side.socket();
    side.clock.advance(5_000);
    expect(await three.settled()).toEqual([]);
  });
});

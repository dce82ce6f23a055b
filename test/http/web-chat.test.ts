import { afterEach, describe, expect, it } from "@jest/globals";
import { ChatSocket, refusedUpgrade } from "../helpers/chat-socket.ts";
import { ask, newSession } from "../helpers/client.ts";
import { FakePack, row } from "../helpers/fake-pack.ts";
import { type Options, startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

const PAGE = [{ path: "index.html", content: Buffer.from("<!doctype html><title>x</title>") }];
const NOT_ALLOWED = { type: "EXCEPTION", content: "not allowed" };
const STEVE = row("Steve").player;

let bridge: TestSidecar;
let pack: FakePack;
const sockets: ChatSocket[] = [];

async function start(mode: string, options: Options = {}): Promise<void> {
  bridge = await startTestSidecar({
    yaml: `modules: {api: {chat: {web: ${mode}}}}`,
    webFiles: PAGE,
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

/** An operator sets the mode; returns what the operator is told. */
async function set(mode: "everybody" | "linked" | "read-only" | "off"): Promise<unknown> {
  await pack.report({ is: "webchat", by: STEVE, mode });
  return (await pack.carryOut("done")).body;
}

async function link(cookie: string): Promise<void> {
  const asked = ask(bridge.base, "/link-player", { cookie, body: { username: "Steve" } });
  const { id } = await pack.carryOut("done", { player: STEVE });
  await asked;
  await pack.report({ is: "answered", request: id, accepted: true });
}

const modeOfConsole = async (): Promise<unknown> =>
  ((await ask(bridge.base, "/console.json")).json as { webChat: unknown }).webChat;

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.ws.terminate();
  await bridge.stop();
});

describe("the mode linked", () => {
  it("takes lines of sockets whose session holds an accepted link, and of no others", async () => {
    await start("linked");
    const { cookie } = await newSession(bridge.base);
    const [mine, other] = [await connect({ Cookie: cookie }), await connect()];
    for (const socket of [mine, other]) {
      socket.say("nobody hears this");
      expect(await socket.next()).toEqual(NOT_ALLOWED);
    }
    await link(cookie);
    mine.say("hi");
    expect(await other.next()).toEqual({ type: "CHAT", content: "hi" });
    expect((await pack.carryOut("done")).body).toEqual({ do: "chat", text: "§7[Web]§r <Steve> hi" });
    await ask(bridge.base, "/unlink-player", { cookie, method: "POST" });
    expect((await pack.carryOut("done")).body).toMatchObject({ do: "tell" });
    mine.say("gone");
    expect(await mine.next()).toEqual(NOT_ALLOWED);
    expect(await other.settled()).toEqual([]);
  });
});

describe("lines that may not be sent", () => {
  it("take nothing of what all of the web may send together", async () => {
    await start("linked", { yaml: "modules.api: {chat: {web: linked}, limits: {chat-lines-burst: 2}}" });
    const { cookie } = await newSession(bridge.base);
    await link(cookie);
    const [mine, other] = [await connect({ Cookie: cookie }), await connect()];
    for (let i = 0; i < 10; i++) {
      other.say(`${i}`);
      expect(await other.next()).toEqual(NOT_ALLOWED);
    }
    mine.say("hi");
    expect(await other.next()).toEqual({ type: "CHAT", content: "hi" });
  });
});

describe("the mode read-only", () => {
  it("answers a bad line and one over the rate as ever", async () => {
    await start("read-only");
    const socket = await connect();
    socket.say("§a");
    expect(await socket.next()).toEqual({ type: "EXCEPTION", content: "bad message" });
    for (let i = 0; i < 30; i++) socket.say(`${i}`);
    const answers = [];
    for (let i = 0; i < 30; i++) answers.push((await socket.next()).content);
    expect(new Set(answers)).toEqual(new Set(["not allowed", "rate limited"]));
  });
});

describe("the mode off", () => {
  it.each(["off", "false"])("refuses every upgrade with 404, written as %s", async mode => {
    await start(mode);
    const { status, body } = await refusedUpgrade(`${bridge.base}/chat`);
    expect([status, JSON.parse(body)]).toEqual([404, { error: "not_found" }]);
    expect(await modeOfConsole()).toBe("off");
  });

  it("closes the open sockets with 1001 when it begins, and none that come after it has ended", async () => {
    await start("everybody");
    const [one, two] = [await connect(), await connect()];
    await set("off");
    expect(await Promise.all([one.closed, two.closed])).toEqual([1001, 1001]);
    expect((await refusedUpgrade(`${bridge.base}/chat`)).status).toBe(404);
    await set("everybody");
    const three = await connect();
    bridge.clock.advance(5_000);
    expect(await three.settled()).toEqual([]);
  });

  it("ends the sockets that do not answer the closing after two seconds", async () => {
    await start("everybody");
    const silent = await connect();
    silent.ws.pause();
    await set("off");
    await set("everybody");
    const later = await connect();
    bridge.clock.advance(2_000);
    silent.ws.resume();
    await silent.closed;
    expect(await later.settled()).toEqual([]);
  });
});

describe("an operator", () => {
  it("[WEB-2] sets the mode and is told, and everybody is by the console of the web", async () => {
    await start("everybody");
    const socket = await connect();
    expect(await modeOfConsole()).toBe("everybody");
    for (const mode of ["read-only", "linked"] as const) {
      expect(await set(mode)).toEqual({
        do: "tell",
        player: STEVE,
        message: "bridge.webchat-set",
        values: { mode },
      });
      expect(await modeOfConsole()).toBe(mode);
      socket.say("hi");
      expect(await socket.next()).toEqual(NOT_ALLOWED);
    }
    await set("everybody");
    socket.say("hi");
    expect((await pack.carryOut("done")).body).toMatchObject({ do: "chat" });
  });
});

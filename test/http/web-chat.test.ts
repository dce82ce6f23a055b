import { afterEach, describe, expect, it } from "@jest/globals";
import type { Fact } from "../../shared/facts.ts";
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

/** Reports what an operator did, and returns what the operator is told. */
async function operator(fact: Fact): Promise<unknown> {
  await pack.report(fact);
  return (await pack.carryOut("done")).body;
}

const set = (mode: "everybody" | "linked" | "read-only" | "off"): Promise<unknown> =>
  operator({ is: "webchat", by: STEVE, mode });
const mute = (browser: string, isMuted = true): Promise<unknown> =>
  operator({ is: "mute", by: STEVE, browser, isMuted });

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

describe("the mode everybody", () => {
  it("lets every socket write", async () => {
    await start("everybody");
    const [one, two] = [await connect(), await connect()];
    one.say("hi");
    expect(await two.next()).toEqual({ type: "CHAT", content: "hi" });
    expect((await pack.carryOut("done")).body).toEqual({ do: "chat", text: "§7[Web]§r <Guest> hi" });
  });
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
  it("takes no line, and brings those of the game", async () => {
    await start("read-only");
    const { cookie } = await newSession(bridge.base);
    await link(cookie);
    const [mine, other] = [await connect({ Cookie: cookie }), await connect()];
    mine.say("hi");
    expect(await mine.next()).toEqual(NOT_ALLOWED);
    await pack.report({ is: "said", name: "Steve", text: "hi" });
    expect(await other.next()).toEqual({ type: "CHAT", content: "§§<Steve> §§hi" });
    expect(await mine.settled()).toEqual([{ type: "CHAT", content: "§§<Steve> §§hi" }]);
  });

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

  it("[WEB-2] asks for the mode, at the console too", async () => {
    await start("linked");
    const told = { do: "tell", message: "bridge.webchat-is", values: { mode: "linked" } };
    expect(await operator({ is: "webchat" })).toEqual(told);
    expect(await operator({ is: "webchat", by: STEVE })).toEqual({ ...told, player: STEVE });
  });

  it("[WEB-3] mutes a browser for an hour, and no other one", async () => {
    await start("everybody");
    const [mine, theirs] = [await newSession(bridge.base), await newSession(bridge.base)];
    const [muted, other] = [await connect({ Cookie: mine.cookie }), await connect({ Cookie: theirs.cookie })];
    const browser = mine.userId.slice(0, 8);
    expect(await mute(browser)).toEqual({
      do: "tell",
      player: STEVE,
      message: "bridge.muted",
      values: { browser },
    });
    muted.say("hi");
    expect(await muted.next()).toEqual(NOT_ALLOWED);
    other.say("one");
    expect(await muted.next()).toEqual({ type: "CHAT", content: "one" });
    bridge.clock.advance(3_600_000);
    muted.say("two");
    expect(await other.next()).toMatchObject({ type: "PING" });
    expect(await other.settled()).toContainEqual({ type: "CHAT", content: "two" });
  });

  it("[WEB-3] mutes by its label one session, and none that begins as it", async () => {
    await start("everybody");
    const { cookie, userId } = await newSession(bridge.base);
    const alike = `website_user_uuid=${userId.slice(0, 8)}-0000-4000-8000-000000000000`;
    const [muted, other] = [await connect({ Cookie: cookie }), await connect({ Cookie: alike })];
    muted.say("hi");
    expect(await other.next()).toEqual({ type: "CHAT", content: "hi" });
    await pack.carryOut("done");
    const [line] = (await ask(bridge.base, "/events?format=json&types=chat")).json as { label: string }[];
    const label = line?.label ?? "";
    expect((await ask(bridge.base, "/session/label", { cookie })).json).toEqual({ label });
    expect(await mute(label)).toMatchObject({ message: "bridge.muted", values: { browser: label } });
    muted.say("hi");
    expect(await muted.next()).toEqual(NOT_ALLOWED);
    other.say("one");
    expect(await muted.next()).toEqual({ type: "CHAT", content: "one" });
    await pack.carryOut("done");
    await mute(label, false);
    muted.say("two");
    expect(await other.next()).toEqual({ type: "CHAT", content: "two" });
  });

  it("[WEB-3] mutes a browser for an hour though the clock is set back", async () => {
    await start("everybody");
    const { cookie, userId } = await newSession(bridge.base);
    const muted = await connect({ Cookie: cookie });
    const exception = async (): Promise<unknown> => {
      for (;;) {
        const message = await muted.next();
        if (message.type === "EXCEPTION") return message;
      }
    };
    await mute(userId.slice(0, 8));
    bridge.clock.setBack(3_600_000);
    bridge.clock.advance(3_599_999);
    muted.say("one");
    expect(await exception()).toEqual(NOT_ALLOWED);
    bridge.clock.advance(1);
    muted.say("two");
    // No game has reported for an hour.
    expect(await exception()).toEqual({ type: "EXCEPTION", content: "server unavailable" });
  });

  it("[WEB-3] mutes everybody without a session, until that is taken back", async () => {
    await start("everybody");
    const { cookie } = await newSession(bridge.base);
    const [nameless, mine] = [await connect(), await connect({ Cookie: cookie })];
    await mute("--------");
    nameless.say("hi");
    expect(await nameless.next()).toEqual(NOT_ALLOWED);
    mine.say("hi");
    expect(await nameless.next()).toEqual({ type: "CHAT", content: "hi" });
    await pack.carryOut("done");
    expect(await mute("--------", false)).toMatchObject({ message: "bridge.unmuted" });
    nameless.say("again");
    expect(await mine.next()).toEqual({ type: "CHAT", content: "again" });
  });

  it("[WEB-4] is obeyed until the sidecar ends, also when the pack begins anew", async () => {
    await start("everybody");
    await set("read-only");
    await pack.connect("another run");
    const socket = await connect();
    socket.say("hi");
    expect(await socket.next()).toEqual(NOT_ALLOWED);
    await bridge.stop();
    await start("everybody");
    expect(await modeOfConsole()).toBe("everybody");
  });

  it("is in the log, and no browser is", async () => {
    await start("everybody");
    await set("linked");
    await mute("0123abcd");
    expect(bridge.log.text).toContain("who may write from the web");
    expect(bridge.log.text).toContain("muted");
    expect(bridge.log.text).not.toContain("0123abcd");
  });
});

describe("the format of a line", () => {
  it("names the browser where it asks for it", async () => {
    await start("everybody", { yaml: 'messages.api.chat-format-from-web: "[{browser} {label}] {content}"' });
    const { cookie, userId } = await newSession(bridge.base);
    const { label } = (await ask(bridge.base, "/session/label", { cookie })).json as { label: string };
    for (const [headers, names] of [
      [{ Cookie: cookie }, `${userId.slice(0, 8)} ${label}`],
      [{}, "-------- --------"],
    ] as const) {
      (await connect(headers)).say("{browser}");
      expect((await pack.carryOut("done")).body).toEqual({ do: "chat", text: `[${names}] {browser}` });
    }
  });
});

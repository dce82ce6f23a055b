import { afterEach, describe, expect, it } from "@jest/globals";
import { TestBridge } from "../helpers/bridge.ts";
import { Browser } from "../helpers/browser.ts";
import type { ChatSocket } from "../helpers/chat-socket.ts";
import { NO_RATES } from "../helpers/traffic.ts";

let bridge: TestBridge;
let socket: ChatSocket;
afterEach(() => bridge.stop());

async function begin(yaml = NO_RATES): Promise<void> {
  bridge = await TestBridge.start(["Steve", "Alex"], { yaml });
  socket = await bridge.socket();
  socket.unread();
}

/** The next chat line on the socket. */
async function heard(): Promise<string> {
  const before = socket.received.length;
  await bridge.until(() => socket.received.length > before);
  const { type, content } = socket.received[before] ?? {};
  expect(type).toBe("CHAT");
  return content ?? "";
}

describe("a line of the game", () => {
  it.each([
    ["plain", "hi", "§§<Steve> §§hi"],
    ["with colours", "a §cred §9blue§r b", "§§<Steve> §§a §#ff5555red §#447fffblue§§ b"],
    ["with a colour of Bedrock alone", "§ggold §uamethyst", "§§<Steve> §#efce16gold §#b66cddamethyst"],
    ["with upper case codes", "§Agreen", "§§<Steve> §#55ff55green"],
    ["with styles", "§lbold §oitalic §kmagic", "§§<Steve> §§bold italic magic"],
    ["that forges a marker", "§#ff0000red §§x", "§§<Steve> §§#ff0000red x"],
    ["in another script", "名前 🙂 שלום", "§§<Steve> §§名前 🙂 שלום"],
    ["that looks like markup", '<b>"&\\', '§§<Steve> §§<b>"&\\'],
  ])("reaches the web %s", async (_what, text, expected) => {
    await begin();
    bridge.player("Steve").say(text);
    expect(await heard()).toBe(expected);
  });

  it("carries prefix, suffix and message prefix as the game shows them", async () => {
    await begin();
    const steve = bridge.player("Steve");
    steve.chatNamePrefix = "§c[Op]§r ";
    steve.chatNameSuffix = " §b*";
    steve.chatMessagePrefix = "§e>§r ";
    steve.say("hi");
    expect(await heard()).toBe("§§<§#ff5555[Op]§§ Steve §#55ffff*> §#ffff55>§§ hi");
    expect(steve.chat).toEqual(["<§c[Op]§r Steve §b*> §e>§r hi"]);
    steve.chatNamePrefix = undefined;
    steve.chatNameSuffix = undefined;
    steve.chatMessagePrefix = undefined;
    steve.say("hi");
    expect(await heard()).toBe("§§<Steve> §§hi");
  });

  it("is not relayed when another pack cancels it", async () => {
    await begin();
    bridge.player("Steve").say("swearing", { cancelled: true });
    bridge.player("Steve").say("fine");
    expect(await heard()).toBe("§§<Steve> §§fine");
    await bridge.tick(40);
    expect(socket.received.map(({ content }) => content).join()).not.toContain("swearing");
  });

  it("never leaves the game when it is private", async () => {
    await begin();
    const [steve, alex] = [bridge.player("Steve"), bridge.player("Alex")];
    steve.say("to one", { targets: [alex] });
    steve.say("to all", { targets: [] });
    expect(await heard()).toBe("§§<Steve> §§to all");
    await bridge.tick(40);
    expect(socket.received.filter(({ type }) => type === "CHAT")).toHaveLength(1);
    expect(alex.chat).toContain("<Steve> to one");
  });
});

describe("a line of the web", () => {
  it.each([
    "%s %1$s %d",
    "%chat.type.text",
    "100 % of 50%off, %gui.accept%gui.decline",
    "chat.type.text",
    "death.attack.player",
    "@e @a @s[type=player]",
    "/kill @a",
    "/op Steve",
    '{"rawtext":[{"selector":"@a"}]}',
    '{"translate":"gui.ok"}',
    "{player} {content} {{x}}",
    "$& $1 $`",
    "\\u0041 \\n <b>",
  ])("is shown literally: %s", async text => {
    await begin();
    const [steve, alex] = [bridge.player("Steve"), bridge.player("Alex")];
    socket.say(text);
    await bridge.until(() => steve.chat.length > 0);
    await bridge.tick(10);
    // The style in effect, said again: it draws nothing.
    const read = [...steve.chat, ...alex.chat].map(line => line.replaceAll("%§r", "%"));
    expect(read).toEqual([`§7[Web]§r <Guest> ${text}`, `§7[Web]§r <Guest> ${text}`]);
    expect([steve.dead, alex.dead]).toEqual([false, false]);
    expect(bridge.consoleText).not.toMatch(/error|fault/i);
    expect(socket.unread()).toEqual([]);
  });

  it("is cleaned before the game sees it", async () => {
    await begin();
    const steve = bridge.player("Steve");
    socket.say("§4red\u202e\u200b \nnext\u0000 \ud800end §");
    await bridge.until(() => steve.chat.length > 0);
    expect(steve.chat).toEqual(["§7[Web]§r <Guest> red next end "]);
  });

  it("comes back to no socket but the others, once", async () => {
    await begin();
    const other = await bridge.socket();
    socket.say("hello");
    await bridge.until(() => bridge.player("Steve").chat.length > 0);
    await bridge.tick(60);
    expect(socket.unread()).toEqual([]);
    expect(other.received.slice(1)).toEqual([{ type: "CHAT", content: "hello" }]);
    expect(bridge.player("Steve").chat).toHaveLength(1);
  });

  it("keeps its order among several sockets", async () => {
    await begin();
    const sockets = [socket, await bridge.socket(), await bridge.socket()];
    for (let i = 0; i < 30; i++) {
      sockets[i % 3]?.say(`${i}`);
      await sockets[i % 3]?.settled();
    }
    const { world } = bridge;
    await bridge.until(() => world.chat.length === 30);
    expect(world.chat.map(({ text }) => text)).toEqual(
      Array.from({ length: 30 }, (_, i) => `§7[Web]§r <Guest> ${i}`),
    );
  });

  it("reaches a player who joined a moment ago, and nobody who is gone", async () => {
    await begin();
    const alex = bridge.player("Alex");
    alex.leave();
    const noor = bridge.join("Noor");
    await bridge.tick(5);
    socket.say("hello");
    await bridge.until(() => noor.chat.length > 0);
    expect(alex.chat).toEqual([]);
  });

  it("bears the name of the linked player where the format asks for it", async () => {
    await begin(`messages.api.chat-format-from-web: "[{player}] {content}"`);
    const browser = await Browser.open(bridge);
    const mine = await bridge.socket({ Cookie: browser.cookie });
    const steve = bridge.player("Steve");
    await browser.linkTo(steve);
    mine.say("I am {player}");
    socket.say("I am {content}");
    await bridge.until(() => steve.chat.length > 1);
    expect([...steve.chat].sort()).toEqual(["[Guest] I am {content}", "[Steve] I am {player}"]);
    await browser.unlink();
    mine.say("who?");
    await bridge.until(() => steve.chat.some(line => line.includes("who?")));
    expect(steve.chat.at(-1)).toBe("[Guest] who?");
  });
});

describe("a talk between both", () => {
  it("takes at most a quarter of a second each way", async () => {
    await begin();
    const steve = bridge.player("Steve");
    for (let i = 0; i < 10; i++) {
      const lines = socket.received.length;
      steve.say(`game ${i}`);
      await bridge.until(() => socket.received.length > lines, 5);
      socket.say(`web ${i}`);
      await bridge.until(() => steve.chat.at(-1) === `§7[Web]§r <Guest> web ${i}`, 5);
    }
  });

  it("goes on after /reload, with no line doubled", async () => {
    await begin();
    const steve = bridge.player("Steve");
    for (let i = 0; i < 3; i++) {
      await bridge.running.reload();
      await bridge.until(() => bridge.linesWith("connected to the sidecar").length === i + 2);
      steve.say(`game ${i}`);
      expect(await heard()).toBe(`§§<Steve> §§game ${i}`);
      socket.say(`web ${i}`);
      await bridge.until(() => steve.chat.includes(`§7[Web]§r <Guest> web ${i}`));
    }
    await bridge.tick(40);
    expect(steve.chat).toHaveLength(6);
    expect(socket.received.filter(({ type }) => type === "CHAT")).toHaveLength(3);
  });

  it("is told by the game in the order in which it was said", async () => {
    await begin();
    const steve = bridge.player("Steve");
    for (let i = 0; i < 20; i++) {
      steve.say(`game ${i}`);
      expect(await heard()).toBe(`§§<Steve> §§game ${i}`);
      socket.say(`web ${i}`);
      await bridge.until(() => steve.chat.at(-1) === `§7[Web]§r <Guest> web ${i}`);
    }
    expect(steve.chat).toHaveLength(40);
  });
});

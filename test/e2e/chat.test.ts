import { afterEach, describe, expect, it } from "@jest/globals";
import { LINKS, type Link, TestBridge } from "../helpers/bridge.ts";
import type { ChatSocket } from "../helpers/chat-socket.ts";
import { NO_RATES } from "../helpers/traffic.ts";

let bridge: TestBridge;
let socket: ChatSocket;
afterEach(() => bridge.stop());

async function begin(over: Link): Promise<void> {
  bridge = await TestBridge.start(["Steve", "Alex"], { over, yaml: NO_RATES });
  socket = await bridge.socket();
  socket.unread();
}

/** The next chat message on the socket. */
async function nextMessage(): Promise<string> {
  const before = socket.received.length;
  await bridge.until(() => socket.received.length > before);
  const { type, content } = socket.received[before] ?? {};
  expect(type).toBe("CHAT");
  return content ?? "";
}

describe.each(LINKS)("over %s, a game message", over => {
  it("reaches the website, in any script and with its colours", async () => {
    await begin(over);
    for (const [text, line] of [
      ["a §cred §9blue§r b", "§§<Steve> §§a §#ff5555red §#447fffblue§§ b"],
      ["§#ff0000red §§x", "§§<Steve> §§#ff0000red x"],
      ["名前 🙂 שלום", "§§<Steve> §§名前 🙂 שלום"],
      ['<b>"&\\', '§§<Steve> §§<b>"&\\'],
    ] as const) {
      await bridge.say("Steve", text);
      expect(await nextMessage()).toBe(line);
    }
  });
});

describe("a game message", () => {
  it("is not relayed if another pack cancels it", async () => {
    await begin("HTTP");
    bridge.player("Steve").say("swearing", { cancelled: true });
    bridge.player("Steve").say("fine");
    expect(await nextMessage()).toBe("§§<Steve> §§fine");
    await bridge.tick(40);
    expect(socket.received.map(({ content }) => content).join()).not.toContain("swearing");
  });
});

describe.each(LINKS)("over %s, a web message", over => {
  it("is shown literally, with any characters", async () => {
    await begin(over);
    const [steve, alex] = [bridge.player("Steve"), bridge.player("Alex")];
    const texts = [
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
    ];
    for (const text of texts) {
      const before = steve.chat.length;
      socket.say(text);
      await bridge.until(() => steve.chat.length > before);
      await bridge.tick(2);
    }
    for (const player of [steve, alex]) {
      // The current style again, which changes nothing.
      const read = player.chat.map(line => line.replaceAll("%§r", "%"));
      expect([read, player.dead]).toEqual([texts.map(text => `§7[Web]§r <Guest> ${text}`), false]);
    }
    expect(bridge.consoleText).not.toMatch(/error|fault/i);
    expect(socket.unread()).toEqual([]);
  });
});

describe.each(LINKS)("over %s, a conversation between both", over => {
  it("continues after /reload, without duplicates", async () => {
    await begin(over);
    const steve = bridge.player("Steve");
    for (let i = 0; i < 3; i++) {
      const connections = (): number => bridge.linesWith("connected to the sidecar").length;
      await bridge.until(() => connections() === i + 1);
      await bridge.running.reload();
      await bridge.until(() => connections() === i + 2);
      await bridge.say("Steve", `game ${i}`);
      expect(await nextMessage()).toBe(`§§<Steve> §§game ${i}`);
      socket.say(`web ${i}`);
      await bridge.until(() => steve.chat.includes(`§7[Web]§r <Guest> web ${i}`));
    }
    await bridge.tick(40);
    expect(steve.chat).toHaveLength(6);
    expect(socket.received.filter(({ type }) => type === "CHAT")).toHaveLength(3);
  });
});

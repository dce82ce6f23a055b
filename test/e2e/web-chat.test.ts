import { afterEach, describe, expect, it } from "@jest/globals";
import type { Player } from "../../lab/simulator/simulator.ts";
import { TestBridge } from "../helpers/bridge.ts";
import { Browser } from "../helpers/browser.ts";
import type { ChatSocket } from "../helpers/chat-socket.ts";
import { NO_RATES } from "../helpers/traffic.ts";

const NOT_ALLOWED = { type: "EXCEPTION", content: "not allowed" };
let bridge: TestBridge;
let steve: Player;
afterEach(() => bridge.stop());

async function begin(yaml = NO_RATES): Promise<void> {
  bridge = await TestBridge.start(["Steve", "Alex"], { yaml });
  steve = bridge.player("Steve");
  steve.operator = true;
}

/** Gives a command as Steve and returns what he is told. */
async function command(line: string): Promise<string> {
  const before = steve.chat.length;
  steve.command(`/bridge:${line}`);
  await bridge.until(() => steve.chat.length > before);
  return steve.chat[before] ?? "";
}

/** Says a line and returns the exception that it is answered with, or what the game shows to everybody. */
async function say(socket: ChatSocket, text: string): Promise<unknown> {
  const shown = (): string[] => bridge.world.chat.filter(({ to }) => to === undefined).map(line => line.text);
  const refusals = (): unknown[] => socket.received.filter(({ type }) => type === "EXCEPTION");
  const [lines, before] = [shown().length, refusals().length];
  socket.say(text);
  await bridge.until(() => refusals().length > before || shown().length > lines);
  return shown()[lines] ?? refusals()[before];
}

describe("an operator in the game", () => {
  it("lets only linked players write, and is told so in the language of the game", async () => {
    await begin();
    steve.locale = "de_DE";
    const browser = await Browser.open(bridge);
    const [mine, other] = [await bridge.socket({ Cookie: browser.cookie }), await bridge.socket()];
    expect(await say(other, "before")).toBe("§7[Web]§r <Guest> before");
    expect(await command("webchat linked")).toBe(
      "Chat aus dem Web: ab jetzt linked, bis der Sidecar neu startet.",
    );
    expect(await command("webchat")).toBe("Chat aus dem Web: linked.");
    expect(await say(mine, "not yet")).toEqual(NOT_ALLOWED);
    await browser.linkTo(bridge.player("Alex"));
    expect(await say(mine, "now")).toBe("§7[Web]§r <Alex> now");
    expect(await say(other, "not me")).toEqual(NOT_ALLOWED);
    const shown = bridge.player("Alex").chat.join("\n");
    expect(shown).not.toMatch(/not yet|not me|Chat aus dem Web/);
  });

  it("turns the chat of the web off and on again, and the game's chat goes on", async () => {
    await begin();
    const socket = await bridge.socket();
    await command("webchat off");
    expect(await socket.closed).toBe(1001);
    bridge.player("Alex").say("hello");
    await bridge.until(() => steve.chat.at(-1) === "<Alex> hello");
    await command("webchat everybody");
    expect(await say(await bridge.socket(), "back")).toBe("§7[Web]§r <Guest> back");
  });

  it("mutes a browser by the name in its lines", async () => {
    await begin('messages.api.chat-format-from-web: "[{browser}] {content}"');
    const [one, two] = [await Browser.open(bridge), await Browser.open(bridge)];
    const [muted, other, nameless] = [
      await bridge.socket({ Cookie: one.cookie }),
      await bridge.socket({ Cookie: two.cookie }),
      await bridge.socket(),
    ];
    const line = `${await say(muted, "spam")}`;
    const browser = line.slice(1, 9);
    expect(line).toBe(`[${browser}] spam`);
    expect(await command(`mute ${browser}`)).toBe(`Muted for an hour: ${browser}.`);
    expect(await say(muted, "spam")).toEqual(NOT_ALLOWED);
    expect(await say(other, "hi")).toMatch(/^\[[0-9a-f]{8}\] hi$/);
    expect(await say(nameless, "hi")).toBe("[--------] hi");
    await command('mute "--------"');
    expect(await say(nameless, "hi")).toEqual(NOT_ALLOWED);
    expect(await command(`unmute ${browser}`)).toBe(`Not muted any more: ${browser}.`);
    expect(await say(muted, "sorry")).toBe(`[${browser}] sorry`);
    expect(await command("mute Steve")).toBe(
      "§cThe command expects something else: 0123abcd, ghjkmnpq, --------.",
    );
  });

  it("[WEB-4] is obeyed after /reload and a new start of the game, and not after one of the sidecar", async () => {
    await begin();
    await command("webchat read-only");
    await bridge.running.reload();
    await bridge.until(() => bridge.linesWith("connected to the sidecar").length === 2);
    expect(await command("webchat")).toBe("Chat from the web: read-only.");
    await bridge.stopGame();
    await bridge.startGame();
    await bridge.enter("Steve");
    expect(await say(await bridge.socket(), "hi")).toEqual(NOT_ALLOWED);
    await bridge.stopSidecar();
    await bridge.startSidecar();
    bridge.world.command("bridge:webchat");
    await bridge.until(() => {
      if (bridge.linesWith("Chat from the web: everybody.").length > 0) return true;
      if (bridge.linesWith("not connected").length > 0) bridge.world.command("bridge:webchat");
      return false;
    });
  });
});

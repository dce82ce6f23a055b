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
});

import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { createSimulator, type Simulator } from "../../lab/simulator/simulator.ts";
import { PACK, TestBridge } from "../helpers/bridge.ts";

const LOBBY = "another-token-of-the-bridge-012345";
const yaml = `
modules: { api: { chat: { relay: true } } }
servers: [{ name: lobby, title: "Big §4Lobby", token: "${LOBBY}" }]
`;

let bridge: TestBridge;
let lobby: Simulator | undefined;

async function startLobby(): Promise<Simulator> {
  const game = await createSimulator({
    pack: PACK,
    variables: { "bridge-url": bridge.bridgeUrl },
    secrets: { "bridge-token": LOBBY },
    now: bridge.clock.now,
  });
  lobby = game;
  game.world.join("Alex");
  await bridge.until(async () => {
    const { status, json } = await bridge.ask("/servers/lobby/players");
    return status === 200 && (json as unknown[]).length === 1;
  });
  return game;
}

beforeEach(async () => {
  bridge = await TestBridge.start(["Steve"], { yaml });
  bridge.onTick = () => lobby?.tickNow();
  await startLobby();
});
afterEach(async () => {
  lobby?.dispose();
  lobby = undefined;
  await bridge.stop();
});

it("[RELAY-1] shows what is said on one game server on the other, once, and on the web once", async () => {
  const socket = await bridge.socket();
  socket.unread();
  const [steve, alex] = [bridge.player("Steve"), lobby?.world.player("Alex")];
  if (!alex) throw new Error("nobody is there");
  steve.chatNamePrefix = "§c[Op]§r ";
  steve.say("hi §lthere");
  await bridge.until(() => alex.chat.length > 0);
  alex.say("hello");
  await bridge.until(() => steve.chat.some(line => line.includes("hello")));
  socket.say("from the web");
  await bridge.until(() => [steve, alex].every(({ chat }) => chat.at(-1)?.includes("from the web")));
  await bridge.tick(200);
  expect(alex.chat).toEqual([
    "§7[main]§r <[Op] Steve> hi there",
    "<Alex> hello",
    "§7[Web]§r <Guest> from the web",
  ]);
  expect(steve.chat).toEqual([
    "<§c[Op]§r Steve> hi §lthere",
    "§7[Big Lobby]§r <Alex> hello",
    "§7[Web]§r <Guest> from the web",
  ]);
  const lines = socket.received.flatMap(({ type, content }) => (type === "CHAT" ? [content] : []));
  expect(lines).toEqual(["§§<§#ff5555[Op]§§ Steve> §§hi there", "§§<Alex> §§hello"]);
});

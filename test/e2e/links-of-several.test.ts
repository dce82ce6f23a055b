import { afterEach, beforeEach, expect, it } from "@jest/globals";
import {
  createSimulator,
  type Player,
  type SavedWorld,
  type Simulator,
} from "../../lab/simulator/simulator.ts";
import { PACK, TestBridge } from "../helpers/bridge.ts";
import { ACCEPT, Browser, formOf } from "../helpers/browser.ts";
import type { Answer } from "../helpers/client.ts";

const NAMES = ["survival", "creative"] as const;
const tokenOf = (name: string): string => `test-token-of-${name}-0123456789`;
const yaml = `servers: [${NAMES.map(name => `{name: ${name}, token: "${tokenOf(name)}"}`).join(", ")}]`;

let bridge: TestBridge;
/** the second and the third game server, by name; the first one is that of the bridge */
const games = new Map<string, Simulator>();
/** those that do not tick */
const hanging = new Set<string>();

async function startGame(name: string, saved?: SavedWorld): Promise<void> {
  const game = await createSimulator({
    pack: PACK,
    variables: { "bridge-url": bridge.bridgeUrl },
    secrets: { "bridge-token": tokenOf(name) },
    now: bridge.clock.now,
    ...(saved && { saved }),
  });
  games.set(name, game);
}

async function begin(): Promise<void> {
  bridge = await TestBridge.start([], { yaml });
  bridge.onTick = () => {
    bridge.frozen = hanging.has("main");
    for (const [name, game] of games) if (!hanging.has(name)) game.tickNow();
  };
  for (const name of NAMES) await startGame(name);
  await reaches("/readyz", ({ json }) =>
    (json as { servers: { state: string }[] }).servers.every(({ state }) => state === "online"),
  );
}
beforeEach(begin);
afterEach(async () => {
  for (const game of games.values()) game.dispose();
  games.clear();
  hanging.clear();
  await bridge.stop();
});

const reaches = (path: string, holds: (answer: Answer) => boolean): Promise<void> =>
  bridge.until(async () => holds(await bridge.ask(path)));

const worldOf = (name: string): Simulator["world"] => {
  const world = name === "main" ? bridge.world : games.get(name)?.world;
  if (!world) throw new Error(`${name} is down`);
  return world;
};

/** Joins a game server and can be seen there. */
async function joins(name: string, server: string): Promise<Player> {
  const player = worldOf(server).join(name);
  await bridge.tick(5);
  await reaches(`/servers/${server}/players`, ({ json }) =>
    (json as { name: string }[]).some(each => each.name === name),
  );
  return player;
}

/** Leaves for another game server. */
async function moves(player: Player, server: string): Promise<Player> {
  player.leave();
  return joins(player.name, server);
}

it("a browser is linked to a player on the second of three game servers, wherever the player goes then", async () => {
  await joins("Alex", "main");
  const there = await joins("Steve", "survival");
  const browser = await Browser.open(bridge);
  await browser.linkTo(there);
  expect((await browser.linked()).playerData?.name).toBe("Steve");
  expect(bridge.player("Alex").formsShown).toBe(0);
  const moved = await moves(there, "creative");
  await bridge.until(async () => (await browser.linked()).playerData?.name === "Steve");
  expect((await browser.unlink()).json).toEqual({ status: "unlinked" });
  await bridge.until(() => moved.chat.length > 0);
  expect(moved.chat).toEqual(["§eYour browser link was removed."]);
  const second = await Browser.open(bridge);
  await second.linkTo(moved);
  const home = await moves(moved, "main");
  home.command("/bridge:unlink");
  await second.reaches("not_linked");
  await bridge.until(() => home.chat.length > 1);
  expect(home.chat).toEqual(["Your browser links are being removed.", "§eYour browser link was removed."]);
});

it("a request stays with the game server that it was asked on, over a restart of that one", async () => {
  const there = await joins("Steve", "survival");
  const browser = await Browser.open(bridge);
  expect((await browser.link("Steve")).status).toBe(202);
  await formOf(bridge, there);
  const saved = await games.get("survival")?.stop();
  games.delete("survival");
  const elsewhere = await joins("Steve", "creative");
  await bridge.tick(200);
  expect([elsewhere.formsShown, await browser.status()]).toEqual([0, "pending"]);
  await startGame("survival", saved);
  const back = await moves(elsewhere, "survival");
  expect((await formOf(bridge, back)).body).toContain(browser.label);
  back.answer(ACCEPT);
  await browser.reaches("accepted");
});

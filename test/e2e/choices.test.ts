import { afterEach, describe, expect, it } from "@jest/globals";
import { createSimulator, type SavedWorld, type Simulator } from "../../lab/simulator/simulator.ts";
import { PACK, TestBridge } from "../helpers/bridge.ts";
import { EventStream } from "../helpers/event-stream.ts";

const LOBBY = "another-token-of-the-bridge-012345";
const yaml = `servers: [{name: lobby, title: Big Lobby, token: "${LOBBY}"}]`;

let bridge: TestBridge;
/** The game server beside the first; undefined while it is down. */
let lobby: Simulator | undefined;
let saved: SavedWorld | undefined;

afterEach(async () => {
  lobby?.dispose();
  lobby = undefined;
  await bridge.stop();
});

async function startLobby(): Promise<Simulator> {
  const game = await createSimulator({
    pack: PACK,
    variables: { "bridge-url": bridge.bridgeUrl },
    secrets: { "bridge-token": LOBBY },
    now: bridge.clock.now,
    ...(saved && { saved }),
  });
  lobby = game;
  await bridge.until(async () => (await state("lobby")) === "online");
  return game;
}

async function stopLobby(): Promise<void> {
  saved = await lobby?.stop();
  lobby = undefined;
}

async function begin(): Promise<Simulator> {
  saved = undefined;
  bridge = new TestBridge({ yaml });
  bridge.onTick = () => lobby?.tickNow();
  await bridge.startSidecar();
  await bridge.startGame();
  await bridge.until(async () => (await state("main")) === "online");
  return startLobby();
}

async function state(server: string): Promise<unknown> {
  const { json } = await bridge.ask("/servers");
  return (json as { name: string; state: string }[]).find(({ name }) => name === server)?.state;
}

/** Names on the list of a game server, and how many it has. */
async function listed(server: string): Promise<{ names: string[]; count: number }> {
  const players = await bridge.ask(`/servers/${server}/players`);
  const status = await bridge.ask(`/servers/${server}/status`);
  const { onlinePlayerCount: count } = status.json as { onlinePlayerCount: number };
  return { names: (players.json as { name: string }[]).map(({ name }) => name), count };
}
const isListed = async (server: string, ...names: string[]): Promise<boolean> =>
  `${(await listed(server)).names}` === `${names}`;
const counts = async (server: string, count: number): Promise<boolean> =>
  (await listed(server)).count === count;

describe("what a player chooses on one of several game servers", () => {
  it("hides her on another one that was away, from the moment in which she comes there, until she shows herself on it", async () => {
    await begin();
    const [steve] = [bridge.join("Steve"), bridge.join("Alex")];
    await bridge.until(() => isListed("main", "Steve", "Alex"));
    await stopLobby();
    steve.command("/bridge:hide");
    await bridge.until(() => isListed("main", "Alex"));
    bridge.world.leave(steve);
    await bridge.until(() => counts("main", 1));

    const stream = await EventStream.open(bridge.base);
    const { world } = await startLobby();
    const there = world.join("Steve");
    const names = new Set<string>();
    await bridge.until(async () => {
      const now = await listed("lobby");
      for (const name of now.names) names.add(name);
      return now.count === 1;
    });
    // Until its pack knows, and for longer than it takes to list everybody anew.
    for (let i = 0; i < 150; i++) {
      await bridge.tick();
      for (const name of (await listed("lobby")).names) names.add(name);
    }
    expect([...names]).toEqual([]);
    const told = stream.events.map(({ event, data }) => `${event} ${JSON.stringify(data)}`);
    expect(told.filter(line => line.startsWith("server") && line.includes("lobby"))).not.toEqual([]);
    expect(told.filter(line => line.includes("Steve") && line.includes("lobby"))).toEqual([]);
    stream.close();

    there.command("/bridge:show");
    await bridge.until(() => isListed("lobby", "Steve"));
    world.leave(there);
    bridge.join("Steve");
    await bridge.until(() => isListed("main", "Alex", "Steve"));
  });
});

import { createSimulator, type Simulator } from "../../lab/simulator/simulator.ts";
import { PACK } from "../../test/helpers/bridge.ts";
import { eventually } from "../../test/helpers/eventually.ts";
import type { Stage } from "./stage.ts";

const tokenOf = (name: string): string => `token-of-the-server-${name}`;

/** Two game servers beside the first one of a stage: one with a long title, one without. */
export const YAML = `server: {name: survival, info: {title: Survival, address: "play.example.com:19132", max-players: 20}}
servers:
  - {name: lobby, token: ${tokenOf("lobby")}, title: The lobby, info: {address: "lobby.example.com", max-players: 100}}
  - {name: creative, token: ${tokenOf("creative")}}`;

/** Starts another game server with these players; it runs with the stage until it is disposed. */
export async function startGame(stage: Stage, name: string, ...players: string[]): Promise<Simulator> {
  const { bridge } = stage;
  const game = await createSimulator({
    pack: PACK,
    variables: { "bridge-url": bridge.bridgeUrl },
    secrets: { "bridge-token": tokenOf(name) },
    now: bridge.clock.now,
  });
  games.add(game);
  bridge.onTick = () => {
    for (const one of games) one.tickNow();
  };
  for (const player of players) game.world.join(player);
  await eventually(async () => {
    const { json } = await bridge.ask(`/servers/${name}/players`);
    if ((json as unknown[]).length !== players.length) throw new Error(`not all are on ${name} yet`);
  });
  return game;
}

const games = new Set<Simulator>();

/** Ends them all as a crash does. */
export function endGames(): void {
  for (const game of games) game.dispose();
  games.clear();
}

import type { Clock } from "../../sidecar/platform/clock.ts";
import { createLaunchedGame } from "../console-link/launched-game.ts";
import { PACK, STABLE_PACK } from "../scale/built.ts";
import { createSimulator, type Player, type Simulator } from "../simulator/simulator.ts";
import { afterRow, TOKEN } from "./processes.ts";

/** A simulated game whose players write to the website. */
interface ChatGame {
  simulator: Simulator;
  say(player: Player, text: string): void;
}

/** Starts a game that ends with its row. `bridge`: URL of the sidecar's bridge listener */
export type StartChatGame = (bridge: string, clock: Clock) => Promise<ChatGame>;

export const overHttp: StartChatGame = async (bridge, { now }) => {
  const variables = { "bridge-url": bridge };
  const simulator = await createSimulator({ pack: PACK, variables, secrets: { "bridge-token": TOKEN }, now });
  afterRow(() => simulator.dispose());
  return { simulator, say: (player, text) => player.say(text) };
};

export const overConsole: StartChatGame = async (url, clock) => {
  const bridge = { url, token: TOKEN };
  const { simulator, end } = await createLaunchedGame({ pack: STABLE_PACK, bridge, clock });
  afterRow(() => {
    end();
    simulator.dispose();
  });
  return { simulator, say: (player, text) => player.command(`/bridge:say "${text}"`) };
};

import { randomBytes } from "node:crypto";
import type { Player } from "../simulator/simulator.ts";
import type { DemoGame } from "./game.ts";

/** The game servers of a network: the first is the one that the panel shows, and has the cast of every demo. */
const PLACES = [
  { name: "lobby", title: "Lobby", players: [] },
  { name: "survival", title: "Survival", players: ["Makena", "Kai", "Efe"] },
  { name: "creative", title: "Creative", players: ["Sunny", "Zuri"] },
  { name: "skyblock", title: "Skyblock", players: ["Marin Oak"] },
  { name: "minigames", title: "Minigames", players: [] },
];
export const MOST_SERVERS = PLACES.length;

/** Milliseconds between two players who go from one server to another. */
const TRAVEL_EVERY_MS = 12_000;

/** A game server beside the first one. */
export interface Place {
  name: string;
  players: readonly string[];
  token: string;
}

/** So many game servers less the first one, and what the sidecar has to be told of them all; nothing of one alone. */
export function networkOf(count: number): { others: Place[]; env: Record<string, string> } {
  const [first, ...more] = PLACES.slice(0, count);
  if (first === undefined || more.length === 0) return { others: [], env: {} };
  const servers = more.map(({ name, title }) => ({
    ...{ name, title },
    token: randomBytes(24).toString("base64url"),
    // As of the first one: there is no game server here but this process.
    process: `${process.pid}`,
  }));
  return {
    others: more.map(({ name, players }, i) => ({ name, players, token: servers[i]?.token ?? "" })),
    env: {
      WEB_BRIDGE_SERVER_NAME: first.name,
      WEB_BRIDGE_SERVER_INFO_TITLE: first.title,
      WEB_BRIDGE_SERVERS: JSON.stringify(servers),
      WEB_BRIDGE_MODULES_API_CHAT_RELAY: "true",
    },
  };
}

/** As much of a game as players who travel need. */
export type Game = Pick<DemoGame, "world" | "power" | "fights" | "join">;

/** A player who may be taken from where she is: nobody waits for her there. */
const isFree = (game: Game, player: Player): boolean =>
  !player.dead && !player.busy && player.form === undefined && !game.fights.includes(player);

/**
 * One player leaves her server and joins another. `stays`: the name of whom everybody is told to ask, and who never goes. Returns
 * who went, where there is anybody who may.
 */
function travel(games: readonly Game[], stays: string, random = Math.random): string | undefined {
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const on = games.filter(({ power }) => power === "on");
  const going = on.flatMap(game =>
    (game.world?.players ?? [])
      .filter(player => player.name !== stays && isFree(game, player))
      .map(player => ({ game, player })),
  );
  const who = pick(going);
  const to = pick(on.filter(game => game !== who?.game));
  if (who === undefined || to === undefined) return undefined;
  who.player.leave();
  // She is nowhere where the other one does not take her: back to where she was.
  if (!to.join(who.player.name)) who.game.join(who.player.name);
  return who.player.name;
}

/** Has players go from one server to another now and then; returns what ends that. */
export function letTravel(games: readonly Game[], stays: string): () => void {
  const timer = setInterval(() => travel(games, stays), TRAVEL_EVERY_MS);
  return () => clearInterval(timer);
}

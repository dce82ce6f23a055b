import { randomBytes } from "node:crypto";
import type { Player } from "../simulator/simulator.ts";
import type { DemoGame } from "./game.ts";

/** The game servers of a network. The panel shows the first one, which has the usual players of the demo. */
const PLACES = [
  { name: "lobby", title: "Lobby", players: [] },
  { name: "survival", title: "Survival", players: ["Makena", "Kai", "Efe"] },
  { name: "creative", title: "Creative", players: ["Sunny", "Zuri"] },
  { name: "skyblock", title: "Skyblock", players: ["Marin Oak"] },
  { name: "minigames", title: "Minigames", players: [] },
];
export const MAX_SERVERS = PLACES.length;

/** Milliseconds between two players who switch servers. */
const TRAVEL_EVERY_MS = 12_000;

/** Another game server. */
export interface Place {
  name: string;
  players: readonly string[];
  token: string;
}

/** The first `count` game servers without the first one, and the settings of the sidecar for all of them; none for a single one. */
export function networkOf(count: number): { others: Place[]; env: Record<string, string> } {
  const [first, ...more] = PLACES.slice(0, count);
  if (first === undefined || more.length === 0) return { others: [], env: {} };
  const servers = more.map(({ name, title }) => ({
    ...{ name, title },
    token: randomBytes(24).toString("base64url"),
    // There is no real game server, only this process.
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

/** The part of a game that travelling players need. */
export type Game = Pick<DemoGame, "world" | "power" | "fights" | "join">;

/** Whether a player can leave now: they are alive, have no form and are in no fight. */
const isFree = (game: Game, player: Player): boolean =>
  !player.dead && !player.busy && player.form === undefined && !game.fights.includes(player);

/**
 * Moves a random player to another server. `stays`: the player whom the printed commands name, who never moves. Returns the
 * name of the player who moved; undefined if none could.
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
  // If the other server rejects them, they return to their own.
  if (!to.join(who.player.name)) who.game.join(who.player.name);
  return who.player.name;
}

/** Moves players between servers from time to time. Returns a function that stops this. */
export function letTravel(games: readonly Game[], stays: string): () => void {
  const timer = setInterval(() => travel(games, stays), TRAVEL_EVERY_MS);
  return () => clearInterval(timer);
}

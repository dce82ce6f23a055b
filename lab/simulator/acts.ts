import type { Act, ActResult } from "./guest/host.ts";
import type { Player } from "./player.ts";
import type { World } from "./world.ts";

/** Applies an action of a script to a player. */
export function act(world: World, playerId: string, what: Act): ActResult {
  if (what.is === "spawn") {
    const { name, at } = what;
    if (world.find(name)) return { done: false, error: `${name} is online already` };
    return { done: true, player: world.join(name, { position: at, simulated: "here" }).state };
  }
  const player = world.byId(playerId);
  if (!player) return { done: false };
  if (what.is === "refuse") return world.refuse(player, what.reason);
  if (what.is === "kick") return world.kick(player, what.reason);
  if (what.is === "chat") player.say(what.text);
  else if (what.is === "leave") player.leave();
  else if (what.is === "respawn") {
    if (!player.dead) return { done: false };
    player.respawn();
  } else if (player.dead) return { done: false };
  else if (what.is === "health") lower(player, what.to, "none");
  else {
    const { amount = player.health, cause, by } = what;
    lower(player, player.health - amount, cause, by && world.byId(by));
  }
  return { done: true, player: player.state };
}

/** Sets the health of a player, who dies at 0. */
function lower(player: Player, to: number, cause: string, by?: Player | ""): void {
  player.health = Math.max(0, Math.min(player.maxHealth, to));
  if (player.health === 0) player.die({ cause, ...(by && { by }) });
}

import { Dimension } from "./dimension.ts";
import { act, Entity, Player, playerById, playerTypes } from "./entities.ts";
import { EngineError } from "./errors.ts";
import { requireMode } from "./mode.ts";
import { surface } from "./surface.ts";

/** Damage of a hand, in half hearts. */
const FIST = 1;

/** A player without a client, controlled by the script. */
export class SimulatedPlayer extends Player {
  chat(message: string): void {
    if (typeof message !== "string") throw new TypeError("Native type conversion failed.");
    act(this.id, { is: "chat", text: message });
  }
  /** @returns whether it could be attacked */
  attackEntity(entity: unknown): boolean {
    if (!(entity instanceof Entity)) throw new TypeError("Native type conversion failed.");
    return entity.applyDamage(FIST, { cause: "entityAttack", damagingEntity: this });
  }
  disconnect(): void {
    act(this.id, { is: "leave" });
  }
  respawn(): boolean {
    return act(this.id, { is: "respawn" }).done;
  }
}

playerTypes.simulated = SimulatedPlayer;

/** Adds a simulated player; `playerJoin` and the other events follow with the next ticks. */
export function spawnSimulatedPlayer(location: unknown, name: unknown, gameMode: unknown): Player {
  requireMode("", "function [spawnSimulatedPlayer]");
  const { dimension, x, y, z }: Record<string, unknown> = { ...(location as object) };
  const isPlace = [x, y, z].every(each => typeof each === "number") && dimension instanceof Dimension;
  if (!isPlace || typeof name !== "string" || typeof gameMode !== "string")
    throw new TypeError("Native type conversion failed.");
  const { player, error = "" } = act("", {
    is: "spawn",
    name,
    at: { x: Number(x), y: Number(y), z: Number(z) },
  });
  const made = player && playerById(player.id);
  if (!made) throw new EngineError(error);
  return made;
}

surface(
  "SimulatedPlayer",
  SimulatedPlayer,
  "chat: attackEntity: disconnect: respawn:",
  `headRotation attack breakBlock dropSelectedItem fly giveItem glide interact interactWithBlock interactWithEntity
  jump lookAtBlock lookAtEntity lookAtLocation move moveRelative moveToBlock moveToLocation navigateToBlock
  navigateToEntity navigateToLocation navigateToLocations rotateBody setBodyRotation setItem setSkin startBuild
  stopBreakingBlock stopBuild stopFlying stopGliding stopInteracting stopMoving stopSwimming stopUsingItem swim
  useItem useItemInSlot useItemInSlotOnBlock useItemOnBlock`,
);

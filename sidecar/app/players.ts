import { v5 } from "uuid";
import type { PlayerRef } from "../../shared/actions.ts";
import type { PlayerRow } from "../../shared/facts.ts";
import type { PlayerData } from "../../shared/public/game.ts";

/** Namespace of this product's name-based uuids. Changing it would give every player another uuid. */
const NAMESPACE = "6a1d4a52-5a3c-4d0e-9f0a-2f6a3f8f4c17";

/**
 * The public uuid of a player: the same on every run and every server where the game tells a persistent id, else the
 * same in the world that this bridge serves.
 */
export function playerUuid(player: PlayerRef, bridgeId: string): string {
  const name =
    player.persistentId !== "" ? `persistent:${player.persistentId}` : `world:${bridgeId}:${player.id}`;
  // As bytes: text with an unpaired surrogate is no name that `v5` takes.
  return v5(Buffer.from(name, "utf8"), NAMESPACE);
}

/** A player as the public service shows one; the keys stand in the order of the description. */
export function playerData(row: PlayerRow, bridgeId: string): PlayerData {
  const { player, health, deaths, playerKills, playtimeSeconds } = row;
  return {
    name: player.name,
    uuid: playerUuid(player, bridgeId),
    health,
    deaths,
    playerKills,
    playtimeSeconds,
  };
}

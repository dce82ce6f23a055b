import { v5 } from "uuid";
import type { PlayerRef } from "../../../shared/actions.ts";
import type { PlayerRow } from "../../../shared/facts.ts";
import type { PlayerData } from "../../../shared/public/game-server.ts";
import { MAX_ROWS } from "../../kernel/bridge/snapshot.ts";

/** Namespace of this product's name-based uuids. Changing it would change every player's uuid. */
const NAMESPACE = "6a1d4a52-5a3c-4d0e-9f0a-2f6a3f8f4c17";

/** Cache of uuids by name: each request for known players needs those of a whole report. */
const uuids = new Map<string, string>();

/**
 * The public uuid of a player: with a persistent id it is the same on every server, without one only on the same game server.
 */
export function playerUuid(player: PlayerRef, bridgeId: string): string {
  const name =
    player.persistentId !== "" ? `persistent:${player.persistentId}` : `world:${bridgeId}:${player.id}`;
  const known = uuids.get(name);
  if (known !== undefined) return known;
  // As bytes: `v5` rejects text with an unpaired surrogate.
  const uuid = v5(Buffer.from(name, "utf8"), NAMESPACE);
  if (uuids.size >= MAX_ROWS) uuids.clear();
  uuids.set(name, uuid);
  return uuid;
}

/** The public form of a player; the keys are in the order of the description. */
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

import { PLAYER_ID_LENGTH } from "../../shared/limits.ts";
import { admin } from "./beta-modules.ts";
import { field, peek, type ReportMissing } from "./features.ts";
import { literal } from "./literal.ts";
import type { mc } from "./modules.ts";
import type { PlayerParts } from "./server.ts";

/** What the game itself offers with the experiment. */
export const betaPlayers = (missing: ReportMissing): PlayerParts => ({
  persistentId(player) {
    if (!("persistentId" in player)) {
      missing("Player.persistentId", "players are recognised only in this world");
      return "";
    }
    try {
      const value = player.persistentId;
      return typeof value === "string" && value.length <= PLAYER_ID_LENGTH ? value : "";
    } catch (error) {
      // This player has none; any other error means that the player has left.
      if (field(error, "name") === "EngineError") return "";
      throw error;
    }
  },
  kick(player: mc.Player, reason) {
    admin.kickPlayer(player, reason && literal(reason));
    return () => true;
  },
});

/** Reports members that the game lacks; to be called once the world is loaded. */
export function checkKick(missing: ReportMissing): void {
  if (peek(admin, "kickPlayer") === undefined)
    missing("kickPlayer", "players cannot be kicked from the website");
}

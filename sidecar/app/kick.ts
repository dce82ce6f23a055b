import { NAME_LENGTH } from "../../shared/limits.ts";
import { type Author, type Note, notDone, type Undone } from "./audited.ts";
import type { Game } from "./game.ts";
import type { GameServers } from "./game-servers.ts";

/** Who is to go, and why. */
interface Kick {
  name: string;
  reason?: string;
}

type Kicked = { outcome: "kicked" } | { outcome: "player_offline" } | Undone;

/** Sends players of a game server away. Whatever comes of it is in the audit once the promise settles. */
export function createKick(deps: {
  game: Pick<Game, "act">;
  gameServers: Pick<GameServers, "knows">;
  note: Note;
}) {
  const { game, gameServers, note } = deps;

  async function kick(player: Kick): Promise<Kicked> {
    if (!(await gameServers.knows("kick")))
      return {
        outcome: "unexpected_result",
        why: "the pack in the game is of before, and has to be updated",
      };
    const ended = await game.act({ do: "kick", ...player });
    if (ended.status === "done") return { outcome: "kicked" };
    return ended.status === "offline" ? { outcome: "player_offline" } : notDone("kick", ended);
  }

  /** Sends away the player of exactly this name, who is told the reason. */
  return async (player: Kick, author: Author): Promise<Kicked> => {
    // Nobody is called so, and the game is not asked.
    if (player.name.length > NAME_LENGTH) return { outcome: "player_offline" };
    return note({ action: "player.kick", ...player }, author, await kick(player));
  };
}

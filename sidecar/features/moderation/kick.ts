import { NAME_LENGTH } from "../../../shared/limits.ts";
import type { Game } from "../../kernel/bridge/game.ts";
import type { Clock } from "../../platform/clock.ts";
import type { GameServers } from "../servers/game-servers.ts";
import { type Author, type NotDone, type Note, notDone } from "./audit.ts";

/** Who is to go, and why. */
interface Kick {
  name: string;
  reason?: string;
}

type Kicked = { outcome: "kicked" } | { outcome: "player_offline" } | NotDone;

/** How long a kick of which nobody has heard is the answer to the next one, in milliseconds. */
const UNHEARD_MS = 60_000;

/** Sends players of a game server away. Whatever comes of it is in the audit once the promise settles. */
export type Kicks = ReturnType<typeof createKick>;

export function createKick(deps: {
  clock: Pick<Clock, "after">;
  game: Pick<Game, "act">;
  gameServers: Pick<GameServers, "knows">;
  note: Note;
}) {
  const { clock, game, gameServers, note } = deps;
  const underWay = new Map<string, Promise<Kicked>>();
  /** by name, what forgets of them */
  const unheard = new Map<string, () => void>();

  function remember(name: string): void {
    unheard.get(name)?.();
    unheard.set(
      name,
      clock.after(UNHEARD_MS, () => unheard.delete(name)),
    );
  }

  async function kick(player: Kick): Promise<Kicked> {
    if (!(await gameServers.knows("kick")))
      return {
        outcome: "unexpected_result",
        why: "the pack in the game is of before, and has to be updated",
      };
    const { name } = player;
    const ended = await game.act({ do: "kick", ...player });
    const isRepeat = ended.status === "offline" && unheard.has(name);
    if (ended.status === "done" || isRepeat) return { outcome: "kicked" };
    if ("begun" in ended && ended.begun) remember(name);
    return ended.status === "offline" ? { outcome: "player_offline" } : notDone("kick", ended);
  }

  /** Asks the game once for all who ask at once. */
  function once(player: Kick): Promise<Kicked> {
    const { name } = player;
    const going = underWay.get(name) ?? kick(player).finally(() => underWay.delete(name));
    underWay.set(name, going);
    return going;
  }

  return {
    /** Sends away the player of exactly this name, who is told the reason. */
    async kick(player: Kick, author: Author): Promise<Kicked> {
      // Nobody is called so, and the game is not asked.
      if (player.name.length > NAME_LENGTH) return { outcome: "player_offline" };
      return note({ action: "player.kick", ...player }, author, await once(player));
    },
    /** Whoever kicked a player has not heard of it, and may ask again. */
    unheard: remember,
  };
}

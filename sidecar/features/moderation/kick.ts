import { NAME_LENGTH } from "../../../shared/limits.ts";
import type { Game } from "../../kernel/bridge/actions.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Connections } from "../servers/last-connection.ts";
import { type AuditChange, type Author, type NotDone, notDone } from "./audit.ts";

/** Whom to kick, and why. */
interface Kick {
  name: string;
  reason?: string;
}

type KickOutcome = { outcome: "kicked" } | { outcome: "player_offline" } | NotDone;

/** How long a repeated kick gets the result of one whose answer was lost, in milliseconds. */
const ANSWER_LOST_MS = 60_000;

/** Kicks players of a game server. The outcome is in the audit once the promise settles. */
export interface Kicks {
  /** Kicks the player of exactly this name, with the reason. */
  kick(player: Kick, author: Author): Promise<KickOutcome>;
  /** The answer to a kick did not reach its sender, who may repeat it. */
  answerLost(name: string): void;
}

export function createKick(deps: {
  clock: Pick<Clock, "after">;
  game: Pick<Game, "act">;
  connections: Pick<Connections, "knows">;
  auditChange: AuditChange;
}): Kicks {
  const { clock, game, connections, auditChange } = deps;
  const underWay = new Map<string, Promise<KickOutcome>>();
  /** by name, what forgets them */
  const withLostAnswer = new Map<string, () => void>();

  function remember(name: string): void {
    withLostAnswer.get(name)?.();
    withLostAnswer.set(
      name,
      clock.after(ANSWER_LOST_MS, () => withLostAnswer.delete(name)),
    );
  }

  async function kick(player: Kick): Promise<KickOutcome> {
    if (!(await connections.knows("kick")))
      return {
        outcome: "unexpected_result",
        why: "the pack in the game is too old to kick players: update it",
      };
    const { name } = player;
    const ended = await game.act({ do: "kick", ...player });
    const isRepeat = ended.status === "offline" && withLostAnswer.has(name);
    if (ended.status === "done" || isRepeat) return { outcome: "kicked" };
    if ("begun" in ended && ended.begun) remember(name);
    return ended.status === "offline" ? { outcome: "player_offline" } : notDone("kick", ended);
  }

  /** Kicks a player once for simultaneous requests. */
  function once(player: Kick): Promise<KickOutcome> {
    const { name } = player;
    const going = underWay.get(name) ?? kick(player).finally(() => underWay.delete(name));
    underWay.set(name, going);
    return going;
  }

  return {
    async kick(player, author) {
      // No player has this name.
      if (player.name.length > NAME_LENGTH) return { outcome: "player_offline" };
      return auditChange({ action: "player.kick", ...player }, author, await once(player));
    },
    answerLost: remember,
  };
}

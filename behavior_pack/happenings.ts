import type { PlayerRef } from "../shared/actions.ts";
import type { Fact } from "../shared/facts.ts";
import { CHAT_LENGTH, SHOWN_NAME_LENGTH } from "../shared/limits.ts";
import { clip } from "../shared/text.ts";
import type { Bans } from "./bans/bans.ts";
import type { FormQueue } from "./linking/form-queue.ts";
import type { Notices } from "./notices.ts";
import type { PlayerStats } from "./players/player-records.ts";
import type { Member, Roster } from "./players/roster.ts";
import type { Clock, Players } from "./ports.ts";

interface HappeningsDeps<P> {
  clock: Clock;
  players: Players<P>;
  notices: Notices;
  roster: Roster<P>;
  stats: PlayerStats;
  forms: FormQueue;
  bans: Pick<Bans<P>, "isAway">;
  /** whether there is a session */
  live(): boolean;
  fact(fact: Fact): void;
}

/** What the game tells of players, and what the sidecar is told of it. Of whoever is banned it is told nothing. */
export function createHappenings<P>(deps: HappeningsDeps<P>) {
  const { players, roster, stats, forms, bans } = deps;
  const { safely } = deps.notices;

  /** Who it is, unless nobody may hear of the player, or it cannot be read yet whether that is so. */
  const shown = (member: Member<P> | undefined): PlayerRef | undefined =>
    member?.stats.hidden === false && !bans.isAway(member.ref.id) ? member.ref : undefined;

  return {
    /** A player can play, after joining. */
    joined(player: P) {
      safely("taking up a player", () => {
        const id = players.id(player);
        const known = id !== undefined && roster.byId(id) !== undefined;
        const member = roster.join(player);
        if (member === undefined) return;
        member.playsAt = deps.clock.tick();
        // Found by a snapshot before, or of whose leaving nobody told.
        if (known) forms.moved(member.ref);
        if (member.hasSpawned) stats.visit(member.stats);
        member.hasSpawned = true;
      });
    },
    /** A line of public chat; the name as the game shows it, and the id of the speaker where it is known. */
    said(name: string, text: string, speaker = "") {
      safely("relaying chat", () => {
        if (bans.isAway(speaker)) return;
        const player = roster.byId(speaker)?.ref;
        const line = { name: clip(name, SHOWN_NAME_LENGTH), text: clip(text, CHAT_LENGTH) };
        deps.fact({ is: "said", ...(player && { player }), ...line });
      });
    },
    /** A player died; `killer` is the id of the player who did it. */
    died(id: string, killer: string | undefined) {
      safely("counting a death", () => {
        const victim = shown(roster.credit(id, "deaths"));
        const by = killer === undefined || killer === id ? undefined : shown(roster.credit(killer, "kills"));
        if (victim !== undefined && deps.live())
          deps.fact({ is: "died", player: victim, ...(by && { killer: by }) });
      });
    },
  };
}

import type { PlayerRef } from "../../shared/actions.ts";
import { PLAYER_ID_LENGTH } from "../../shared/limits.ts";
import type { Bans } from "../bans/bans.ts";
import type { PackContext } from "../context.ts";
import type { Linking } from "../linking/linking.ts";
import type { PlayerNames } from "./player-names.ts";
import type { PlayerRecords } from "./player-records.ts";
import type { Member } from "./roster.ts";
import type { createSnapshots } from "./snapshots.ts";

interface JoinsAndDeathsDeps<P> {
  records: PlayerRecords;
  names: PlayerNames;
  linking: Pick<Linking, "moved">;
  bans: Pick<Bans<P>, "isBlocked" | "left">;
  snapshots: ReturnType<typeof createSnapshots<P>>;
}

/** Reports joins, leaves and deaths of players. Nothing is reported about banned players. */
export function createJoinsAndDeaths<P>(
  { clock, players, roster, notices, isLive, report, reportJson }: PackContext<P>,
  { records, names, linking, bans, snapshots }: JoinsAndDeathsDeps<P>,
) {
  /** The player if they may be named; undefined if they are hidden, or that cannot be read yet. */
  const visible = (member: Member<P> | undefined): PlayerRef | undefined =>
    member?.record.hidden === false && !bans.isBlocked(member.ref.id) ? member.ref : undefined;

  /** The player is no longer on the roster. */
  function removed(id: string): Member<P> | undefined {
    snapshots.left(id);
    const member = roster.leave(id);
    if (member !== undefined) linking.moved(member.ref);
    return member;
  }

  return {
    /** The player is on the roster. */
    added(member: Member<P>) {
      names.add(member.ref);
      linking.moved(member.ref);
      snapshots.joined(member);
      if (!isLive()) return;
      try {
        reportJson("joined", `{"is":"joined","row":${roster.row(member)}}`);
      } catch {
        // Not readable yet: the next snapshot will contain the player.
      }
    },
    removed,
    /** A player has joined and can play. */
    spawned(player: P) {
      notices.safely("adding a player", () => {
        const id = players.id(player);
        const isKnown = id !== undefined && roster.byId(id) !== undefined;
        const member = roster.join(player);
        if (member === undefined) return;
        member.playsAt = clock.tick();
        // A snapshot found them earlier, or their last leave was not reported.
        if (isKnown) linking.moved(member.ref);
        if (member.hasSpawned) records.beginVisit(member.record);
        member.hasSpawned = true;
      });
    },
    left(id: string) {
      const member = removed(id);
      if (bans.left(id) || !isLive() || id === "" || id.length > PLAYER_ID_LENGTH) return;
      const row = member && roster.lastRow(member);
      reportJson(
        "left",
        `{"is":"left","id":${JSON.stringify(id)}${row === undefined ? "" : `,"row":${row}`}}`,
      );
    },
    /** A player died; `killer` is the id of the player who killed them. */
    died(id: string, killer: string | undefined) {
      notices.safely("counting a death", () => {
        const player = visible(roster.credit(id, "deaths"));
        const by =
          killer === undefined || killer === id ? undefined : visible(roster.credit(killer, "kills"));
        if (player !== undefined && isLive()) report({ is: "died", player, ...(by && { killer: by }) });
      });
    },
  };
}

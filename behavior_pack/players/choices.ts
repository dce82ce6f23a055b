import type { GameTextKey } from "../../shared/game-texts.ts";
import { type ActionHandlers, DONE, OFFLINE } from "../bridge/action-queue.ts";
import type { CommandReplies, Reply } from "../commands.ts";
import type { PackContext } from "../context.ts";
import { CHOICES, type Choice, type PlayerRecords } from "./player-records.ts";
import type { Member } from "./roster.ts";

interface ChoicesDeps<P> {
  records: PlayerRecords;
  /** The player's row has changed. */
  changed(member: Member<P>): void;
  /** Declines every link request of a player. */
  declineAll(member: Member<P>): void;
}

/** The choices of players, `/bridge:block` and `/bridge:hide`, made here or on another game server of the sidecar. */
export function createChoices<P>(
  { roster, report, soon }: PackContext<P>,
  { ofPlayer }: CommandReplies<P>,
  { records, changed, declineAll }: ChoicesDeps<P>,
) {
  function choose(member: Member<P>, choice: Choice, value: boolean, isReported: boolean): void {
    records.choose(member.record, choice, value, isReported);
    if (choice === "hidden" || records.isShared()) changed(member);
    if (choice === "blocked" && value) soon(() => declineAll(member));
  }

  /** A command that needs no connection, since the world stores the choice. */
  const command =
    (choice: Choice, value: boolean, key: GameTextKey) =>
    (player: P | undefined): Reply =>
      ofPlayer(player, member => {
        choose(member, choice, value, false);
        return [true, key];
      });

  const actions: Pick<ActionHandlers, "choose"> = {
    choose({ player, ...chosen }) {
      const member = roster.find(player);
      if (member === undefined) return OFFLINE;
      const { record } = member;
      // An unreported choice made here is the later one, and will win.
      for (const choice of CHOICES)
        if (record[choice] !== chosen[choice] && !record.unreported.includes(choice))
          choose(member, choice, chosen[choice], true);
      return DONE;
    },
  };

  return {
    actions,
    commands: {
      block: command("blocked", true, "bridge.blocked"),
      unblock: command("blocked", false, "bridge.unblocked"),
      hide: command("hidden", true, "bridge.hidden"),
      show: command("hidden", false, "bridge.shown"),
    },
    /** Reports choices to all game servers, also those of players who have left since. */
    report() {
      if (!records.isShared()) return;
      for (const { ref, record } of [...roster.members(), ...roster.left()]) {
        const chosen = records.takeUnreported(record);
        if (chosen !== undefined) report({ is: "chose", player: ref, ...chosen });
      }
    },
  };
}

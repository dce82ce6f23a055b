import { type ActionHandlers, CONFIRM_TICKS, confirmed, DONE, OFFLINE } from "../bridge/action-queue.ts";
import type { PackContext } from "../context.ts";
import type { Member } from "../players/roster.ts";
import type { Poll } from "../ports.ts";
import { createRecentKeys } from "../recent-keys.ts";

/** Kicks that are remembered, and for how many ticks one answers a repeated request. */
const MAX_KICKS = 64;
const REPEAT_TICKS = 1200;

interface Kick<P> {
  member: Member<P>;
  tick: number;
  /** id of the action */
  action: string;
}

/** Kicks players. `left` reports that a player has left, even if the game does not. */
export function createKick<P>(
  { clock, players, roster }: Pick<PackContext<P>, "clock" | "players" | "roster">,
  left: (id: string) => void,
) {
  const kicks = createRecentKeys<Kick<P>>(MAX_KICKS);
  const acknowledged = createRecentKeys<true>(MAX_KICKS);

  const actions: Pick<ActionHandlers, "kick"> = {
    kick({ name, reason }, { id: action }) {
      // The game accepts only the newest object of a player.
      roster.refresh();
      const member = roster.named(name);
      const before = kicks.get(name);
      const age = before === undefined ? Infinity : clock.tick() - before.tick;
      // The client repeats a kick when its outcome never reached the sidecar.
      if (member === undefined)
        return before && age <= REPEAT_TICKS && !acknowledged.has(before.action) ? DONE : OFFLINE;
      const { id } = member.ref;
      // Simultaneous requests are one kick.
      const isUnderWay = before?.member === member && age <= CONFIRM_TICKS;
      const make = (): Poll<true> | undefined => {
        if (isUnderWay) return undefined;
        const made = players.kick(member.player, reason);
        kicks.add(name, { member, tick: clock.tick(), action });
        return made;
      };
      const isGone = (): boolean => {
        // The leave is reported ahead of the outcome.
        if (roster.byId(id) === member && players.list()?.every(each => players.id(each) !== id)) left(id);
        return roster.byId(id) !== member;
      };
      return confirmed(() => isGone, make, "the player is still online");
    },
  };
  return {
    actions,
    /** The sidecar acknowledged the outcome of this action. */
    acknowledged: (action: string) => acknowledged.add(action, true),
  };
}

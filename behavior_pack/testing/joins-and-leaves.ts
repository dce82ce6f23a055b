import type { Fact, PlayerRow } from "../../shared/facts.ts";
import * as presence from "../../sidecar/features/players/rules/presence.ts";
import { addPart, type PartialSnapshot } from "../../sidecar/kernel/bridge/snapshot.ts";

const present = ({ player: { id, name } }: PlayerRow): presence.PresentPlayer => ({ id, name, uuid: "" });

/** Joins and leaves derived from the facts of runs of the game, as `join Steve`, `leave Steve`. */
export function joinsAndLeaves(...runs: Fact[][]): string[] {
  const events: string[] = [];
  let state = presence.NEVER_ONLINE;
  const take = (step: presence.PresenceStep): void => {
    state = step.presence;
    for (const event of step.events)
      if (event.event === "join" || event.event === "leave")
        events.push(`${event.event} ${event.player.name}`);
  };
  for (const [number, facts] of runs.entries()) {
    const run = `${number}`;
    let partial: PartialSnapshot | undefined;
    take(presence.beginRun(state, run, 0));
    for (const [i, fact] of facts.entries()) {
      if (fact.is === "joined") take(presence.addPlayer(state, run, present(fact.row), 0));
      if (fact.is === "left") take(presence.removePlayer(state, run, fact.id, 0));
      if (fact.is !== "snapshot") continue;
      const added = addPart(partial, fact, i);
      partial = added.partial;
      if (added.complete) take(presence.updatePlayers(state, run, added.complete.rows.map(present), 0));
    }
  }
  return events;
}

import * as asked from "../domain/asked.ts";
import type { AskedPlayers, Clock } from "../ports.ts";

export type Asking = ReturnType<typeof createAsking>;

/** Sees to it that no player is asked too often. A player is known by exact name. */
export function createAsking(deps: { clock: Clock; players: AskedPlayers; rules: asked.AskingRules }) {
  const { clock, players, rules } = deps;
  const note = (player: string, step: (before: asked.Asked) => asked.Asked): Promise<void> =>
    players.change(player, before => ({ record: step(before), answer: undefined }));

  return {
    /** Says whether a request may go to the player now; each one that may has to be given up, or reach the player. */
    ask: (player: string, asking: Parameters<typeof asked.ask>[1]): Promise<asked.Held | "asked"> =>
      players.change(player, before => asked.ask(before, asking, clock.now(), rules)),
    /** Why a request that is on its way may not reach the player after all, if so. */
    full: (player: string): Promise<asked.Held | undefined> =>
      players.change(player, before => {
        const record = asked.lapse(before, clock.now(), rules);
        return { record, answer: asked.full(record, clock.now(), rules) };
      }),
    opened: (player: string, request: string, deadline: number): Promise<void> =>
      note(player, before => asked.opened(before, request, deadline, clock.now())),
    giveUp: (player: string, request: string): Promise<void> =>
      note(player, before => asked.giveUp(before, request)),
    answered: (player: string, request: string, accepted: boolean): Promise<void> =>
      note(player, before => asked.answered(before, request, accepted, clock.now(), rules)),
  };
}

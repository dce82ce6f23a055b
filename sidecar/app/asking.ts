import * as asked from "../domain/asked.ts";
import type { AskedPlayers, Turn } from "../ports.ts";
import { ACTION_TIMEOUT_MS } from "./game.ts";

export type Asking = ReturnType<typeof createAsking>;

/** Sees to it that no player is asked too often. A player is known by exact name. */
export function createAsking({ players, rules }: { players: AskedPlayers; rules: asked.AskingRules }) {
  const note = (
    player: string,
    step: (before: asked.Asked, now: number) => asked.Asked,
    turn?: Turn,
  ): Promise<void> =>
    players.change(player, (before, now) => ({ record: step(before, now), answer: undefined }), turn);

  return {
    /** Says whether a request may go to the player now; each one that may has to be given up, or reach the player. */
    ask: (player: string, asking: Parameters<typeof asked.ask>[1]): Promise<asked.Held | "asked"> =>
      players.change(player, (before, now) => asked.ask(before, asking, now, rules)),
    /** Why a request that is on its way may not reach the player after all, if so; one that has does not keep itself away. */
    full: (player: string, own: string, turn?: Turn): Promise<asked.Held | undefined> =>
      players.change(
        player,
        (before, now) => {
          const record = asked.lapse(before, now, rules);
          return { record, answer: asked.full(record, now, rules, { own }) };
        },
        turn,
      ),
    /** The request has reached the player, who may answer for `openForMs` milliseconds. */
    opened: (player: string, request: string, openForMs: number, turn: Turn): Promise<void> =>
      note(player, (before, now) => asked.opened(before, request, openForMs, now), turn),
    /** Holds back whoever shows the player these characters; how long, in milliseconds. `firstMs`: the first time. */
    alike: (player: string, browser: string, firstMs: number): Promise<number> =>
      players.change(player, (before, now) => asked.alike(before, browser, now, firstMs, rules)),
    giveUp: (player: string, request: string): Promise<void> =>
      note(player, before => asked.giveUp(before, request)),
    answered: (player: string, request: string, accepted: boolean, turn?: Turn): Promise<void> =>
      note(player, (before, now) => asked.answered(before, request, accepted, now, rules), turn),
    /** The request is over as if the player had refused it, on its way too: the game may have shown it, and not have said so yet. */
    refused: (player: string, request: string): Promise<void> =>
      note(player, (before, now) => {
        const shown = asked.opened(before, request, ACTION_TIMEOUT_MS, now);
        return asked.answered(shown, request, false, now, rules);
      }),
  };
}

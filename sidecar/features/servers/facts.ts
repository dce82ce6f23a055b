import { type FactHandlers, mayBeOf } from "../../kernel/bridge/facts.ts";
import type { Choices, Teller } from "./choices.ts";
import type { ServerPlayersElsewhere } from "./elsewhere.ts";

/** Drops what a game server reports of players who are online on another one. The next report brings up one who has left there. */
export function elsewhereFacts(elsewhere: ServerPlayersElsewhere): FactHandlers {
  const refuse = (what: string) => async (fact: { player: Parameters<ServerPlayersElsewhere["has"]>[0] }) =>
    elsewhere.refuses(what, fact.player) ? ("drop" as const) : undefined;
  return {
    joined: async ({ row }) => (elsewhere.has(row.player) ? "drop" : undefined),
    chose: refuse("chose"),
    forgot: refuse("forgot"),
    "unlinked-by-player": refuse("unlinked-by-player"),
    listed: async report => ({ ...report, rows: elsewhere.without(report.rows) }),
  };
}

/** Has what players choose hold on all game servers. */
export const choiceFacts = (choices: Choices, teller: Teller): FactHandlers => ({
  async joined(fact, { turn }) {
    const [row = fact.row] = await choices.met(teller, [fact.row], turn);
    return { ...fact, row };
  },
  async left(fact, { turn }) {
    if (fact.row === undefined) return undefined;
    const [row = fact.row] = await choices.met(teller, [fact.row], turn);
    return { ...fact, row };
  },
  chose: (fact, { turn }) => choices.onChose(teller, fact, turn),
  listed: async (report, { turn }) => ({ ...report, rows: await choices.met(teller, report.rows, turn) }),
  outcome: async (outcome, { turn }) =>
    mayBeOf(outcome, "link-open") ? choices.onOutcome(teller, outcome, turn) : undefined,
});

import type { PlayerRef } from "../../../shared/actions.ts";
import { type FactHandlers, mayBeOf } from "../../kernel/bridge/facts.ts";
import { bound } from "../../kernel/http/route.ts";
import type { ChoiceServer, ChoiceSync } from "./choices.ts";
import type { PlayersElsewhere, ServerPlayersElsewhere } from "./elsewhere.ts";
import { FIGURES, type ServiceFeature } from "./game-server.ts";
import { type ServersRoutesDeps, serversRoutes } from "./routes.ts";

/** Drops what a game server reports of players who are online on another one. The next report brings up one who has left there. */
function elsewhereFacts(elsewhere: ServerPlayersElsewhere): FactHandlers {
  const refuse = (what: string) => async (fact: { player: PlayerRef }) =>
    elsewhere.refuses(what, fact.player) ? ("drop" as const) : undefined;
  return {
    joined: async ({ row }) => (elsewhere.has(row.player) ? "drop" : undefined),
    chose: refuse("chose"),
    forgot: refuse("forgot"),
    "unlinked-by-player": refuse("unlinked-by-player"),
    listed: async report => ({ ...report, rows: elsewhere.without(report.rows) }),
  };
}

const choiceFacts = (choices: ChoiceSync, server: ChoiceServer): FactHandlers => ({
  async joined(fact, { lease }) {
    const [row = fact.row] = await choices.withChoices(server, [fact.row], lease);
    return { ...fact, row };
  },
  async left(fact, { lease }) {
    if (fact.row === undefined) return undefined;
    const [row = fact.row] = await choices.withChoices(server, [fact.row], lease);
    return { ...fact, row };
  },
  chose: (fact, { lease }) => choices.onChose(server, fact, lease),
  listed: async (report, { lease }) => ({
    ...report,
    rows: await choices.withChoices(server, report.rows, lease),
  }),
  outcome: async (outcome, { lease }) =>
    mayBeOf(outcome, "link-open") ? choices.onOutcome(server, outcome, lease) : undefined,
});

/** `GET /servers`, figures of each game server, and the check for players who are online on two. */
export function createServersFeature(
  deps: ServersRoutesDeps & { elsewhere: PlayersElsewhere },
): ServiceFeature {
  const { all, isOne } = deps.servers;
  const names = Object.keys(FIGURES) as (keyof typeof FIGURES)[];
  return {
    facts: server => elsewhereFacts(deps.elsewhere.of(server)),
    gauges: names.map(name => ({
      name,
      help: FIGURES[name],
      labelNames: isOne ? [] : ["server"],
      read: () =>
        all.map(server => ({
          labels: isOne ? {} : { server: server.name },
          value: server.figures[name](),
        })),
    })),
    serve: () => ({ routes: bound(serversRoutes, deps) }),
  };
}

/** What players choose on one of several game servers holds on all of them. */
export const createChoicesFeature = (choices: ChoiceSync): ServiceFeature => ({
  facts: server => choiceFacts(choices, server),
});

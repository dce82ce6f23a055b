import type { PlayerRef } from "../../../shared/actions.ts";
import { type FactHandlers, mayBeOf } from "../../kernel/bridge/facts.ts";
import { bound } from "../../kernel/http/route.ts";
import type { Choices, Teller } from "./choices.ts";
import type { PlayersElsewhere, ServerPlayersElsewhere } from "./elsewhere.ts";
import { type ServersRoutesDeps, serversRoutes } from "./routes.ts";
import { FIGURES, type ServiceFeature } from "./world.ts";

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

const choiceFacts = (choices: Choices, teller: Teller): FactHandlers => ({
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

/** `GET /servers`, figures of each game server, and the check for players who are online on two. */
export function createServersFeature(
  deps: ServersRoutesDeps & { elsewhere: PlayersElsewhere },
): ServiceFeature {
  const { all, isOne } = deps.worlds;
  const names = Object.keys(FIGURES) as (keyof typeof FIGURES)[];
  return {
    facts: ({ name }) => elsewhereFacts(deps.elsewhere.of(name)),
    gauges: names.map(name => ({
      ...{ name, help: FIGURES[name], labelNames: isOne ? [] : ["server"] },
      read: () =>
        all.map(world => ({
          labels: isOne ? {} : { server: world.name },
          value: world.figures[name](),
        })),
    })),
    serve: () => ({ routes: bound(serversRoutes, deps) }),
  };
}

/** What players choose on one of several game servers holds on all of them. */
export const createChoicesFeature = (choices: Choices): ServiceFeature => ({
  facts: server => choiceFacts(choices, server),
});

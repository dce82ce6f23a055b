import { bound } from "../../kernel/http/route.ts";
import type { Choices } from "./choices.ts";
import type { PlayersElsewhere } from "./elsewhere.ts";
import { choiceFacts, elsewhereFacts } from "./facts.ts";
import { type ServersRoutesDeps, serversRoutes } from "./routes.ts";
import { FIGURES, type ServiceFeature } from "./world.ts";

/** `GET /servers`, figures of each game server, and what is reported of players who are online on another one. */
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

import { mayBeOf } from "../../kernel/bridge/actions.ts";
import type { FactHandlers } from "../../kernel/bridge/facts.ts";
import { bound } from "../../kernel/http/route.ts";
import { StorageAway } from "../../kernel/storage/ports.ts";
import type { LabelOf } from "../chat/chat.ts";
import type { ServiceContext } from "../context.ts";
import type { PlayersElsewhere } from "../servers/elsewhere.ts";
import type { ServiceFeature } from "../servers/game-server.ts";
import type { ServerLinks } from "./game-reports.ts";
import { createLinkRates, createLinkRequestLimiter } from "./limits.ts";
import { createLinks, type Links } from "./links.ts";
import type { PlayerRequestStore } from "./records.ts";
import { type LinkingRoutesDeps, linkingRoutes, sessionRoutes } from "./routes.ts";
import type { LinkStorage } from "./storage.ts";

const linkFacts = (links: Pick<ServerLinks, "onOutcome" | "onAnswer" | "unlinkAll">): FactHandlers => ({
  outcome: async (outcome, { lease }) =>
    mayBeOf(outcome, "link-open") ? links.onOutcome(outcome, lease) : undefined,
  answered: ({ request, accepted }, { lease }) => links.onAnswer(request, accepted, lease),
  "unlinked-by-player": ({ player }, { lease }) => links.unlinkAll(player, lease),
});

/** Sweeps in the life of a link request. */
const SWEEPS_PER_REQUEST = 4;

/** Link requests from browsers, and the answers of players. */
export function createLinkingFeature(
  service: ServiceContext,
  own: {
    storage: LinkStorage;
    playerRequests: PlayerRequestStore;
    elsewhere: PlayersElsewhere;
    labelOf: LabelOf;
    siteName(site: string): string;
    moderatorOf: LinkingRoutesDeps["moderatorOf"];
  },
): ServiceFeature & { links: Links } {
  const { api, clock, log } = service;
  const { linkCoolDown: coolDownMs, linkRequestsPerMinutePerPlayer: perMinute } = api.limits;
  const links = createLinks({
    ...service,
    ...own,
    limiter: createLinkRequestLimiter(own.playerRequests, { coolDownMs, perMinute }),
    rates: createLinkRates(service.rates, api.limits),
    verificationMs: api.verificationTimeout,
    keepMs: api.sessionCookie.maxAge,
  });
  const stop = clock.every(api.verificationTimeout / SWEEPS_PER_REQUEST, () => {
    links.sweep().catch((error: unknown) => {
      // The storage logs that it is unreachable; the next sweep does the work of this one.
      if (!(error instanceof StorageAway)) log.error({ error }, "Could not expire link requests");
    });
  });
  return {
    links,
    facts: server => linkFacts(links.of(server)),
    serve: http => ({
      routes: bound([...linkingRoutes, ...sessionRoutes], {
        ...service,
        ...http,
        links,
        labelOf: own.labelOf,
        moderatorOf: own.moderatorOf,
      }),
    }),
    stop,
  };
}

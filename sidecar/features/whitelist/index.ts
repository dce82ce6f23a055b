import { perServer } from "../../kernel/feature.ts";
import { bound } from "../../kernel/http/route.ts";
import type { ServiceContext } from "../context.ts";
import type { ServiceFeature } from "../servers/game-server.ts";
import { type WhitelistRoutesDeps, whitelistRoutes } from "./routes.ts";
import { createWhitelist } from "./whitelist.ts";

/** The allowlist of each game server, for holders of keys. */
export function createWhitelistFeature(
  service: ServiceContext,
): ServiceFeature & Pick<WhitelistRoutesDeps, "whitelistOf"> {
  const { api, clock, servers } = service;
  const whitelistOf = perServer(servers.all, ({ game, auditChange }) =>
    createWhitelist({ game, auditChange, clock, names: api.whitelistNames }),
  );
  return {
    whitelistOf,
    serve: ({ keys }) => ({ routes: bound(whitelistRoutes, { ...service, keys, whitelistOf }) }),
  };
}

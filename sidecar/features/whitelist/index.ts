import { perServer } from "../../kernel/feature.ts";
import { bound } from "../../kernel/http/route.ts";
import type { Clock } from "../../platform/clock.ts";
import type { GameServers, ServiceFeature } from "../servers/game-server.ts";
import { type WhitelistRoutesDeps, whitelistRoutes } from "./routes.ts";
import { createWhitelist } from "./whitelist.ts";

/** The allowlist of each game server, for holders of keys. */
export function createWhitelistFeature(
  deps: Omit<WhitelistRoutesDeps, "whitelistOf"> & { clock: Pick<Clock, "after">; servers: GameServers },
): ServiceFeature & Pick<WhitelistRoutesDeps, "whitelistOf"> {
  const { api, clock, servers } = deps;
  const whitelistOf = perServer(servers.all, ({ game, auditChange }) =>
    createWhitelist({ game, auditChange, clock, names: api.whitelistNames }),
  );
  return {
    whitelistOf,
    serve: ({ keys }) => ({ routes: bound(whitelistRoutes, { ...deps, keys, whitelistOf }) }),
  };
}

import { bound } from "../../kernel/http/route.ts";
import type { ServiceFeature } from "../servers/game-server.ts";
import { type WhitelistRoutesDeps, whitelistRoutes } from "./routes.ts";

export const createWhitelistFeature = (deps: WhitelistRoutesDeps): ServiceFeature => ({
  serve: ({ keys }) => ({ routes: bound(whitelistRoutes, { ...deps, keys }) }),
});

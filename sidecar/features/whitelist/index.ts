import { bound } from "../../kernel/http/route.ts";
import type { ServiceFeature } from "../servers/world.ts";
import { type WhitelistRoutesDeps, whitelistRoutes } from "./routes.ts";

/** The allowlists of the game servers, for holders of keys. */
export const createWhitelistFeature = (deps: WhitelistRoutesDeps): ServiceFeature => ({
  serve: ({ keys }) => ({ routes: bound(whitelistRoutes, { ...deps, keys }) }),
});

import { bound } from "../../kernel/http/route.ts";
import type { ServiceFeature } from "../servers/game-server.ts";
import { type SitesRoutesDeps, sitesRoutes } from "./routes.ts";
import { createSites, type Sites, type SitesDeps } from "./sites.ts";

export function createSitesFeature(
  deps: SitesDeps & Pick<SitesRoutesDeps, "api">,
): ServiceFeature & { sites: Sites } {
  const sites = createSites(deps);
  return { sites, serve: () => ({ routes: bound(sitesRoutes, { api: deps.api, sites }) }) };
}

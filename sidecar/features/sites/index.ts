import { bound } from "../../kernel/http/route.ts";
import type { ServiceContext } from "../context.ts";
import type { ServiceFeature } from "../servers/game-server.ts";
import { sitesRoutes } from "./routes.ts";
import { createSites, type Sites, type SitesDeps } from "./sites.ts";

export function createSitesFeature(
  { api, clock, servers }: ServiceContext,
  own: Omit<SitesDeps, "clock" | "servers">,
): ServiceFeature & { sites: Sites } {
  const sites = createSites({ ...own, clock, servers });
  return { sites, serve: () => ({ routes: bound(sitesRoutes, { api, sites }) }) };
}

import { bound } from "../../kernel/http/route.ts";
import type { ServiceFeature } from "../servers/game-server.ts";
import { type DocsRoutesDeps, docsRoutes } from "./routes.ts";

/** The documents of the service, and their page. */
export const createDocsFeature = (deps: DocsRoutesDeps): ServiceFeature => ({
  serve: () => ({ routes: bound(docsRoutes, deps) }),
});

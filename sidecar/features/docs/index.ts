import { bound } from "../../kernel/http/route.ts";
import type { ServiceContext } from "../context.ts";
import type { ServiceFeature } from "../servers/game-server.ts";
import { type DocsRoutesDeps, docsRoutes } from "./routes.ts";

/** The OpenAPI and AsyncAPI documents, and the API page. */
export const createDocsFeature = (
  { api, config }: ServiceContext,
  own: Omit<DocsRoutesDeps, "api" | "web">,
): ServiceFeature => ({
  serve: () => ({ routes: bound(docsRoutes, { ...own, api, web: config.modules.web }) }),
});

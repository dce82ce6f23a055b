import { type BanRoutesDeps, banRoutes } from "./features/bans/routes.ts";
import { chatRoutes } from "./features/chat/routes.ts";
import { type ConsoleDeps, settingsRoutes } from "./features/console/routes.ts";
import { openApiOf } from "./features/docs/openapi.ts";
import { type DocsRoutesDeps, docsRoutes } from "./features/docs/routes.ts";
import { type FeedRoutesDeps, feedRoutes } from "./features/feed/routes.ts";
import { type KnownPlayersRoutesDeps, knownPlayersRoutes } from "./features/known-players/routes.ts";
import { type LinkingRoutesDeps, linkingRoutes, sessionRoutes } from "./features/linking/routes.ts";
import { type AuditRoutesDeps, auditRoutes } from "./features/moderation/audit-routes.ts";
import { type MuteRoutesDeps, muteRoutes } from "./features/moderation/mute-routes.ts";
import { type PermissionRoutesDeps, permissionRoutes } from "./features/moderation/permission-routes.ts";
import { type ModerationRoutesDeps, moderationRoutes } from "./features/moderation/routes.ts";
import type { GameServer } from "./features/servers/game-server.ts";
import { type ServersRoutesDeps, serversRoutes } from "./features/servers/routes.ts";
import { type SignInRoutesDeps, signInRoutes } from "./features/sign-in/routes.ts";
import { type SitesRoutesDeps, sitesRoutes } from "./features/sites/routes.ts";
import { badgeRoutes, figureRoutes, healthRoutes, type StatusRoutesDeps } from "./features/status/routes.ts";
import { type WhitelistRoutesDeps, whitelistRoutes } from "./features/whitelist/routes.ts";
import type { ApiSettings } from "./kernel/http/description.ts";
import type { Route } from "./kernel/http/route.ts";

type RoutesDeps = AuditRoutesDeps &
  BanRoutesDeps &
  ConsoleDeps &
  DocsRoutesDeps &
  FeedRoutesDeps &
  KnownPlayersRoutesDeps &
  LinkingRoutesDeps &
  ModerationRoutesDeps &
  MuteRoutesDeps &
  PermissionRoutesDeps &
  ServersRoutesDeps &
  SignInRoutesDeps &
  SitesRoutesDeps &
  StatusRoutesDeps &
  WhitelistRoutesDeps;

/** Every described route of the public service, in the order of the documents. */
export const ROUTES: readonly Route<RoutesDeps, GameServer>[] = [
  ...figureRoutes,
  ...serversRoutes,
  ...knownPlayersRoutes,
  ...badgeRoutes,
  ...feedRoutes,
  ...linkingRoutes,
  ...sitesRoutes,
  ...signInRoutes,
  ...sessionRoutes,
  ...whitelistRoutes,
  ...permissionRoutes,
  ...moderationRoutes,
  ...banRoutes,
  ...muteRoutes,
  ...auditRoutes,
  ...chatRoutes,
  ...settingsRoutes,
  ...healthRoutes,
  ...docsRoutes,
];

/** The OpenAPI 3.1 description of the public REST interface under a configuration. */
export const openApi = (api: ApiSettings) => openApiOf(api, ROUTES);

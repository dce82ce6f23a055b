import type { Express, Request } from "express";
import type { Guard } from "../../../shared/guard.ts";
import type { Scope } from "../../config/admin-keys.ts";
import { banRequest, bansRoutes, unbanRequest } from "../../features/bans/routes.ts";
import { consoleRoutes, settingsRoute } from "../../features/console/routes.ts";
import { docsRoute, documentRoute } from "../../features/docs/route.ts";
import type { Events } from "../../features/feed/routes.ts";
import { knownPlayerRoute, knownPlayersRoute } from "../../features/known-players/routes.ts";
import { initializeRoute } from "../../features/linking/initialize-route.ts";
import {
  labelRoute,
  linkedPlayerRoute,
  linkPlayerRoute,
  linkRequest,
  sessionRoute,
  sessionsRoute,
  unlinkPlayerRoute,
} from "../../features/linking/routes.ts";
import { announceRequest, announceRoute, kickRequest, kickRoute } from "../../features/moderation/routes.ts";
import { serversRoute } from "../../features/servers/routes.ts";
import type { World } from "../../features/servers/world.ts";
import { endSiteRoute, FORWARD_PATH, forwardRoute, sitesRoute } from "../../features/sites/routes.ts";
import { badgeRoute } from "../../features/status/badge-route.ts";
import { healthRoute, readyRoute } from "../../features/status/health-routes.ts";
import { historyRoute } from "../../features/status/history-route.ts";
import { serverRoute } from "../../features/status/server-route.ts";
import { type SnapshotAnswers, snapshotRoute } from "../../features/status/snapshot-routes.ts";
import {
  addToWhitelistRoute,
  readWhitelistRoute,
  removeFromWhitelistRoute,
  whitelistRequest,
} from "../../features/whitelist/routes.ts";
import { pathForLog } from "../../platform/throttled-log.ts";
import { StorageFault } from "../storage/ports.ts";
import { sendAnswer } from "./answer.ts";
import { type Handler, rawBody, withBody } from "./body.ts";
import { createPreflights } from "./cors.ts";
import { type Handlers, type ListenerDeps, sendUnavailable, type WorldDeps } from "./deps.ts";
import { errorAnswer, errorHandler, sendError, sendUnexpected } from "./errors.ts";
import { allow } from "./headers.ts";
import { byKey, createWithKey } from "./keys.ts";
import { withSession } from "./session.ts";

/** What is made once for many readers. */
interface Prepared {
  answersOf(world: World): SnapshotAnswers;
  events: Events;
}

/** Gives an Express application every route of the public service, and what stands in front of them. */
export function addRoutes(
  app: Express,
  deps: ListenerDeps,
  prepared: Prepared,
  isUnreadable: (req: Request) => boolean,
): void {
  const { api, log, metrics } = deps;
  app.disable("x-powered-by").disable("etag").enable("strict routing").enable("case sensitive routing");
  app.use((req, res, next) => {
    // A stream ends without an end of its own when its reader leaves.
    res.on("close", () => metrics.request(req.route?.path ?? "none", res.statusCode));
    next();
  }, createPreflights(api.corsOrigins));
  app.use((req, res, next) => (isUnreadable(req) ? sendError(res, "bad_request") : next()));
  app.use((req, _res, next) => {
    // What cannot be decoded names nothing, and is answered as that.
    if (req.path.includes("%") && !isDecodable(req.path)) req.url = req.path.replace(/%/g, "-");
    next();
  });
  const ofFirst = ofServer({ ...deps, world: deps.worlds.first }, prepared);
  const ofEach = deps.worlds.all.flatMap(world =>
    Object.entries(ofServer({ ...deps, world }, prepared)).map(
      ([path, handlers]) => [`/servers/${world.name}${path}`, handlers] as const,
    ),
  );
  // Unknown game server: 404 for every path below it, before anything else is looked at.
  app.use((req, res, next) => {
    const name = /^\/servers\/([^/]+)\//.exec(req.path)?.[1];
    if (name !== undefined && deps.worlds.of(name) === undefined) sendError(res, "unknown_server");
    else next();
  });
  const all = [...Object.entries({ ...ofFirst, ...ofService(deps, prepared) }), ...ofEach];
  for (const [path, handlers] of all) {
    const route = app.route(path);
    if (handlers.get) route.get(handlers.get);
    if (handlers.post) route.post(handlers.post);
    if (handlers.delete) route.delete(handlers.delete);
    const methods = allow(handlers);
    if (handlers.options) route.options(handlers.options);
    route.options((_req, res) => sendAnswer(res, { status: 204, headers: methods }));
    route.all((_req, res) => sendError(res, "method_not_allowed", methods));
  }
  app.use((_req, res) => sendError(res, "not_found"));
  app.use(
    errorHandler(
      (res, status) =>
        sendAnswer(res, { ...errorAnswer("invalid_body"), ...(status === 413 ? { status } : {}) }),
      (res, error, req) =>
        error instanceof StorageFault
          ? sendUnavailable(res, api)
          : sendUnexpected(res, log, { error, method: req.method, path: pathForLog(req.path) }),
    ),
  );
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes what hands on a request for a change of these game servers, with its key and its body. The key is looked at again once the
 * body is there: it may have been taken away meanwhile.
 */
function createChanges(deps: ListenerDeps, servers: readonly string[]) {
  const read = rawBody(deps.api.limits.bodyBytes, deps.admission.manyPieces);
  const withKey = createWithKey(deps);
  return <T, B>(scope: Scope, guard: Guard<T>, handlerOf: (key: string, body: T) => Handler<B>): Handler<B> =>
    withKey(scope, servers, () =>
      withBody(read, guard, body => withKey(scope, servers, key => handlerOf(key, body))),
    );
}

/** The routes of the bans of a game server; without one those of all of them. */
function ofBans(deps: ListenerDeps, server?: string): Handlers {
  const servers = server === undefined ? deps.worlds.all.map(({ name }) => name) : [server];
  const changes = createChanges(deps, servers);
  const { list, add, remove } = bansRoutes(deps, server);
  return {
    get: createWithKey(deps)("bans:read", servers, () => list),
    post: changes("bans:write", banRequest, add),
    delete: changes("bans:write", unbanRequest, remove),
  };
}

/** The routes of one game server. */
function ofServer(deps: ListenerDeps & WorldDeps, { answersOf }: Prepared): Record<string, Handlers> {
  const { name } = deps.world;
  const withKey = createWithKey(deps);
  const changes = createChanges(deps, [name]);
  const answers = answersOf(deps.world);
  return {
    "/status": { get: snapshotRoute(deps, answers, "/status") },
    "/players": { get: snapshotRoute(deps, answers, "/players") },
    "/server": { get: serverRoute(deps) },
    "/history": { get: historyRoute(deps) },
    "/whitelist": {
      get: withKey("whitelist:read", [name], () => readWhitelistRoute(deps)),
      post: changes("whitelist:write", whitelistRequest, addToWhitelistRoute(deps)),
      delete: changes("whitelist:write", whitelistRequest, removeFromWhitelistRoute(deps)),
    },
    "/kick": { post: changes("players:kick", kickRequest, kickRoute(deps)) },
    "/announce": { post: changes("chat:announce", announceRequest, announceRoute(deps)) },
    "/bans": ofBans(deps, name),
  };
}

/** The routes of everybody who has been here; none where nobody is remembered. */
function ofKnown({ admission, api, keys, knownList, log }: ListenerDeps): Record<string, Handlers> {
  if (knownList === undefined) return {};
  const scope = "players:read";
  const withKey = createWithKey({ keys, log });
  const isForAll = api.knownPlayers.show === "everybody";
  const page = knownPlayersRoute(knownList, admission);
  return {
    "/known-players": {
      get: isForAll ? page : withKey(scope, [], () => page),
    },
    "/known-players/:uuid": {
      get: isForAll
        ? byKey(keys, scope, hasKey => knownPlayerRoute(knownList, hasKey))
        : withKey(scope, [], () => knownPlayerRoute(knownList, true)),
    },
  };
}

/** The routes of the service. */
function ofService(deps: ListenerDeps, { events }: Prepared): Record<string, Handlers> {
  const { api, descriptions } = deps;
  const cookie = api.sessionCookie.name;
  const read = rawBody(api.limits.bodyBytes, deps.admission.manyPieces);
  const withKey = createWithKey(deps);
  const linkPlayer = linkPlayerRoute(deps);
  return {
    "/servers": { get: serversRoute(deps) },
    ...ofKnown(deps),
    // Not those of the first game server alone.
    "/bans": ofBans(deps),
    "/badge.svg": { get: badgeRoute(deps) },
    "/events": { get: events.route },
    "/console.json": { get: settingsRoute(deps) },
    "/initialize": { get: initializeRoute(deps) },
    "/link-player": {
      post: withSession(cookie, session => withBody(read, linkRequest, body => linkPlayer(session, body))),
    },
    "/linked-player": { get: withSession(cookie, linkedPlayerRoute(deps)) },
    "/unlink-player": { post: withSession(cookie, unlinkPlayerRoute(deps)) },
    "/session": { get: withSession(cookie, sessionRoute(deps)) },
    "/session/label": { get: withSession(cookie, labelRoute(deps)) },
    [FORWARD_PATH]: { get: forwardRoute(deps) },
    "/session/sites": { get: withSession(cookie, sitesRoute(deps)) },
    "/session/sites/:id": { delete: withSession(cookie, endSiteRoute(deps)) },
    ...deps.signInRoutes?.(deps),
    "/sessions/:id": { get: withKey("links:read", [], () => sessionsRoute(deps)) },
    "/chat": { get: (_req, res) => sendError(res, "upgrade_required") },
    "/healthz": { get: healthRoute },
    "/readyz": { get: readyRoute(deps) },
    "/docs": { get: docsRoute(deps) },
    "/openapi.json": { get: documentRoute(descriptions.openApi) },
    "/asyncapi.json": { get: documentRoute(descriptions.asyncApi) },
    ...Object.fromEntries(Object.entries(consoleRoutes(deps)).map(([path, get]) => [path, { get }])),
  };
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import cors from "cors";
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import { rawBody } from "./body.ts";
import { addressKey, type Trust } from "./client.ts";
import { contained, surviveFaults } from "./contained.ts";
import { asyncApi } from "./contracts/asyncapi.ts";
import { openApi } from "./contracts/openapi.ts";
import { sendError, sendUnexpected } from "./errors.ts";
import { createOriginCheck, type OriginCheck } from "./origin.ts";
import { type PreparedAnswers, prepareAnswers } from "./prepared.ts";
import { createRateLimiter, perMinute, type RateLimiter } from "./rate-limit.ts";
import { consoleRoutes } from "./routes/console.ts";
import type { PublicDeps } from "./routes/deps.ts";
import { documentRoute, healthRoute, readyRoute } from "./routes/health.ts";
import { historyRoute } from "./routes/history.ts";
import { initializeRoute } from "./routes/initialize.ts";
import { linkedPlayerRoute, linkPlayerRoute, needSession, unlinkPlayerRoute } from "./routes/links.ts";
import { snapshotRoute } from "./routes/snapshot.ts";
import {
  ADMIN_KEY_HEADER,
  addToWhitelistRoute,
  needAdminKey,
  readWhitelistRoute,
} from "./routes/whitelist.ts";
import { attachSockets, type Sockets } from "./sockets.ts";
import { createThrottledWarn, printable } from "./throttled-log.ts";

/** How long a client may take to send a whole request, in milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 15_000;
/** How long an idle connection is kept; above the usual 60 s of proxies, so that the proxy is the one to close. */
const KEEP_ALIVE_MS = 65_000;
const PREFLIGHT_MAX_AGE_SECONDS = 600;
/** What a page of a listed origin may read besides the usual. */
const EXPOSED_HEADERS = ["Retry-After", "X-Request-Id"];

export interface PublicServer {
  server: Server;
  sockets: Sockets;
}

/** The public listener, not listening yet. */
export function createPublicServer(deps: PublicDeps): PublicServer {
  const { api, clock, log, snapshots } = deps;
  const warn = createThrottledWarn(log, clock);
  const report = (error: unknown): void => warn({ error }, "a fault ended a connection");
  const app = express();
  app.set("trust proxy", api.trustProxy);
  const trust: Trust = app.get("trust proxy fn");
  const checkOrigin = createOriginCheck(api.corsOrigins, trust);
  const prepared = prepareAnswers(snapshots, api.metricsRefreshInterval);
  const addresses = createRateLimiter(perMinute(api.limits.requestsPerMinute));
  setUp(app, { ...deps, trust, checkOrigin, prepared, addresses });

  const server = createServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    contained(
      (req: IncomingMessage, res: ServerResponse) => {
        if (!answerAhead(req, res, checkOrigin, prepared)) app(req, res);
      },
      req => req.socket.destroy(),
      report,
    ),
  );
  surviveFaults(server, report);
  return { server, sockets: attachSockets(server, { ...deps, trust, checkOrigin, addresses, report }) };
}

/**
 * The short way: what most clients ask for most of the time is answered from prepared bytes ahead of the framework.
 * It costs no more than a refusal would, so it is not counted against the rate of an address.
 */
function answerAhead(
  req: IncomingMessage,
  res: ServerResponse,
  checkOrigin: OriginCheck,
  prepared: PreparedAnswers,
): boolean {
  const { method, url } = req;
  if ((method !== "GET" && method !== "HEAD") || (url !== "/status" && url !== "/players")) return false;
  const origin = checkOrigin(req);
  if (origin === "refused") return false;
  return prepared.send(url, req, res, origin === "listed" ? corsHeaders(req) : undefined);
}

const corsHeaders = (req: IncomingMessage): Record<string, string> => ({
  "Access-Control-Allow-Origin": req.headers.origin ?? "",
  "Access-Control-Allow-Credentials": "true",
  "Access-Control-Expose-Headers": EXPOSED_HEADERS.join(","),
});

interface AppDeps extends PublicDeps {
  trust: Trust;
  checkOrigin: OriginCheck;
  prepared: PreparedAnswers;
  addresses: RateLimiter;
}

function setUp(app: Express, deps: AppDeps): void {
  const { addresses, api, clock, metrics, checkOrigin, log, prepared, trust } = deps;
  const warn = createThrottledWarn(log, clock);
  app.disable("x-powered-by");
  app.disable("etag");
  app.enable("strict routing");
  app.enable("case sensitive routing");

  app.use((req, res, next) => {
    res.on("finish", () => metrics.request(req.route?.path ?? "none", res.statusCode));
    res.set({ "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", Vary: "Origin" });
    const origin = checkOrigin(req);
    // A page of a listed origin may read this refusal too.
    if (origin === "listed") res.set(corsHeaders(req));
    if (!addresses.take(addressKey(req.ip ?? ""), clock.now())) {
      res.set("Retry-After", String(addresses.retryAfterSeconds));
      return sendError(res, "rate_limited");
    }
    if (origin === "refused") {
      const fields = { origin: printable(req.headers.origin), path: printable(req.path) };
      warn(fields, "refused a request of an origin that is not listed");
      return sendError(res, "origin_not_allowed");
    }
    next();
  });
  const shareWithListed = cors({
    origin: [...api.corsOrigins],
    credentials: true,
    methods: ["GET", "HEAD", "POST"],
    allowedHeaders: ["Content-Type", ADMIN_KEY_HEADER],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
  });
  app.use((req, res, next) => (checkOrigin(req) === "listed" ? shareWithListed(req, res, next) : next()));

  const body = rawBody(api.limits.bodyBytes);
  const session = needSession(deps);
  const admin = needAdminKey(deps);
  const routes: Record<string, { get?: RequestHandler[]; post?: RequestHandler[] }> = {
    "/status": { get: [snapshotRoute(deps, prepared, "/status")] },
    "/players": { get: [snapshotRoute(deps, prepared, "/players")] },
    "/history": { get: [historyRoute(deps)] },
    "/initialize": { get: [initializeRoute(deps)] },
    "/link-player": { post: [session, body, linkPlayerRoute(deps)] },
    "/linked-player": { get: [session, linkedPlayerRoute(deps)] },
    "/unlink-player": { post: [session, unlinkPlayerRoute(deps)] },
    "/whitelist": {
      get: [admin, readWhitelistRoute(deps)],
      post: [admin, body, addToWhitelistRoute(deps)],
    },
    "/chat": {
      get: [
        (_req, res) => {
          res.set({ Upgrade: "websocket", Connection: "Upgrade" });
          sendError(res, "upgrade_required");
        },
      ],
    },
    "/healthz": { get: [healthRoute] },
    "/readyz": { get: [readyRoute(deps)] },
    "/openapi.json": { get: [documentRoute(openApi(api))] },
    "/asyncapi.json": { get: [documentRoute(asyncApi(api))] },
    ...Object.fromEntries(
      Object.entries(consoleRoutes(deps, trust)).map(([path, get]) => [path, { get: [get] }]),
    ),
  };
  for (const [path, { get, post }] of Object.entries(routes)) {
    const route = app.route(path);
    if (get) route.get(...get);
    if (post) route.post(...post);
    const allow = [...(get ? ["GET", "HEAD"] : []), ...(post ? ["POST"] : []), "OPTIONS"].join(", ");
    route.options((_req, res) => {
      res.set("Allow", allow).status(204).end();
    });
    route.all((_req, res) => {
      res.set("Allow", allow);
      sendError(res, "method_not_allowed");
    });
  }
  app.use((_req, res) => sendError(res, "not_found"));
  app.use(errorRoute(deps));
}

/** Turns what a handler or the body reader has thrown into an answer; the process lives on. */
function errorRoute({ log }: PublicDeps): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    if (res.headersSent) return next(error);
    const status =
      typeof error === "object" && error !== null && "status" in error ? error.status : undefined;
    if (status === 413) return sendError(res, "invalid_body", 413);
    if (typeof status === "number" && status >= 400 && status < 500) return sendError(res, "invalid_body");
    sendUnexpected(res, log, { error, method: req.method, path: req.path });
  };
}

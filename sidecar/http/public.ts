import type { IncomingMessage, Server, ServerResponse } from "node:http";
import express from "express";
import { attachSockets, type Sockets } from "./chat/sockets.ts";
import type { Trust } from "./client-address.ts";
import { createAnswerCount, createAppListener, createContainedServer } from "./contained.ts";
import { corsHeaders } from "./cors.ts";
import { createHostCheck } from "./host.ts";
import { createOriginCheck, type OriginCheck } from "./origin.ts";
import { createRateLimiter, perMinute } from "./rate-limit.ts";
import { addRoutes } from "./router.ts";
import type { PublicDeps } from "./routes/deps.ts";
import { createSendSnapshot, type SendSnapshot } from "./routes/snapshot.ts";

/** How long a client may take to send a whole request, in milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 15_000;
/** How long an idle connection is kept; above the usual 60 s of proxies, so that the proxy is the one to close. */
const KEEP_ALIVE_MS = 65_000;

interface PublicServer {
  server: Server;
  sockets: Sockets;
}

/** The public listener, not listening yet. */
export function createPublicServer(deps: PublicDeps): PublicServer {
  const { api, log, snapshots } = deps;
  const report = (error: unknown): void => log.warn({ error }, "a fault ended a connection");
  const app = express();
  app.set("trust proxy", api.trustProxy);
  const trust: Trust = app.get("trust proxy fn");
  const checkOrigin = createOriginCheck(api.corsOrigins, trust);
  const checkHost = createHostCheck(api.hosts, trust);
  const addresses = createRateLimiter(perMinute(api.limits.requestsPerMinute));
  const listenerDeps = { ...deps, trust, checkHost, checkOrigin, addresses };
  const sendSnapshot = createSendSnapshot(snapshots, api.metricsRefreshInterval);
  const { handle, isUnreadable } = createAppListener(app);
  addRoutes(app, listenerDeps, sendSnapshot, isUnreadable);

  const answers = createAnswerCount();
  const server = createContainedServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (req, res) => {
      answers.begin(req, res);
      if (!checkHost(req) || !takeFastPath(req, res, checkOrigin, sendSnapshot)) handle(req, res);
    },
    report,
  );
  return { server, sockets: attachSockets(server, listenerDeps, answers.isAnswering, report) };
}

/**
 * The fast path: what most clients ask for most of the time is answered from prepared bytes ahead of the framework.
 * It costs no more than a refusal would, so it is not counted against the rate of an address.
 */
function takeFastPath(
  req: IncomingMessage,
  res: ServerResponse,
  checkOrigin: OriginCheck,
  sendSnapshot: SendSnapshot,
): boolean {
  const { method, url } = req;
  if ((method !== "GET" && method !== "HEAD") || (url !== "/status" && url !== "/players")) return false;
  const origin = checkOrigin(req);
  if (origin === "refused") return false;
  return sendSnapshot(url, req, res, origin === "listed" ? corsHeaders(req) : undefined);
}

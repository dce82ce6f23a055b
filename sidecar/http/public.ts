import type { IncomingMessage, Server, ServerResponse } from "node:http";
import express from "express";
import { attachSockets, type Sockets } from "./chat/sockets.ts";
import { addressKey, clientAddress, type Trust } from "./client-address.ts";
import { createAppListener, createContainedServer } from "./contained.ts";
import { corsHeaders } from "./cors.ts";
import { ERRORS, prepareError } from "./errors.ts";
import { retryAfter } from "./headers.ts";
import { createHostCheck } from "./host.ts";
import { createOriginCheck, type OriginCheck } from "./origin.ts";
import { createBar, takeNoMore } from "./pipelining.ts";
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
  const { api, clock, log, metrics, snapshots } = deps;
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

  const bar = createBar();
  const { body, headers } = prepareError("rate_limited", retryAfter(addresses.retryAfterSeconds));
  /** Refuses an address that asks too much, ahead of the framework, and ends its connection. */
  function refuse(req: IncomingMessage, res: ServerResponse): void {
    takeNoMore(req);
    metrics.request("none", ERRORS.rate_limited);
    const cors = checkOrigin(req) === "listed" ? corsHeaders(req) : {};
    res.writeHead(ERRORS.rate_limited, { ...headers, ...cors, Connection: "close" }).end(body);
  }

  const { server, isAnswering } = createContainedServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (req, res) => {
      const address = addressKey(clientAddress(req, trust) ?? "");
      if (bar.isBarred(address, clock.monotonic())) return refuse(req, res);
      if (checkHost(req) && takeFastPath(req, res, checkOrigin, sendSnapshot)) return;
      if (addresses.take(address, clock.now())) handle(req, res);
      else refuse(req, res);
    },
    report,
    (req, res) => {
      bar.bar(addressKey(clientAddress(req, trust) ?? ""), clock.monotonic());
      refuse(req, res);
    },
  );
  return { server, sockets: attachSockets(server, listenerDeps, isAnswering, report) };
}

/**
 * The fast path: what most clients ask for most of the time is answered from prepared bytes ahead of the framework.
 * It costs no more than a refusal would, so it is not counted against the rate of an address; how many of them may be under
 * way on a connection is.
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

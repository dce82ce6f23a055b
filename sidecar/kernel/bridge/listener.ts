import { randomUUID } from "node:crypto";
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import express, { type Request, type RequestHandler, type Response } from "express";
import { BRIDGE_ERRORS, type BridgeErrorCode, PATHS } from "../../../shared/frames.ts";
import { check, type Guard } from "../../../shared/guard.ts";
import { MAX_BODY_BYTES } from "../../../shared/limits.ts";
import { bansFrame, factsFrame, hello, poll } from "../../../shared/requests.ts";
import type { Result } from "../../../shared/result.ts";
import { type BridgeStatus, STATUS_PATH } from "../../../shared/status.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { SidecarMetrics } from "../../platform/metrics.ts";
import { printable } from "../../platform/throttled-log.ts";
import { sendAnswer, sendJson } from "../http/answer.ts";
import { createAppListener } from "../http/app-listener.ts";
import { jsonObject, rawBody } from "../http/body.ts";
import { addressKey } from "../http/client-address.ts";
import { errorHandler } from "../http/errors.ts";
import { createSecretCheck } from "../http/keys.ts";
import { isForLoopback, isLoopback } from "../http/origin.ts";
import { limitConnections } from "../http/overload/connections.ts";
import { type ClientTimeouts, createHttpServer } from "../http/overload/server.ts";
import { StorageFault } from "../storage/ports.ts";
import { createFairQueue } from "./fair-queue.ts";
import type { PackRefusal, PackSession } from "./pack-session.ts";

/**
 * Connection limit, at least, and for each game server. Past it, the oldest unauthenticated connections are closed, and the oldest
 * of a game server with more than its share.
 */
const CONNECTIONS = 32;
const CONNECTIONS_EACH = 3;

interface BridgeDeps {
  clock: Clock;
  log: Log;
  timeouts: ClientTimeouts;
  /** what the listener is bound to */
  host: string;
  servers: readonly BridgedServer[];
  metrics: SidecarMetrics;
  /** body of `GET /readyz` */
  readiness(): { status: "ready" | "unavailable" };
}

/** A game server, which authenticates by its token. */
interface BridgedServer {
  name: string;
  token: string;
  pack: PackSession;
  status(): Promise<BridgeStatus>;
}

interface BridgeServer {
  server: Server;
  /** answers under way */
  underWay(): ServerResponse[];
  /** connections that are open */
  connections(): number;
}

/** The listener for packs and for scrapers of metrics, not listening yet. */
export function createBridgeServer(deps: BridgeDeps): BridgeServer {
  const { metrics, log, servers } = deps;
  const serverOf = createSecretCheck(servers);
  const most = Math.max(CONNECTIONS, CONNECTIONS_EACH * servers.length);
  const isOne = servers.length === 1;
  const connectionShares = createConnectionShares<BridgedServer>(
    isOne ? Number.POSITIVE_INFINITY : Math.floor(most / servers.length),
  );
  const app = express()
    .disable("x-powered-by")
    .disable("etag")
    .enable("strict routing")
    .enable("case sensitive routing");

  /** The game server whose token the request has: bare, as packs send it, or after `Bearer`, as scrapers do. */
  const authenticate = (req: Request): BridgedServer | undefined =>
    serverOf((req.get("Authorization") ?? "").replace(/^Bearer +/i, ""));
  const authenticated = new WeakMap<Request, BridgedServer>();
  /** Log fields with the game server of a request, where there are several. */
  const tagOf = (req: Request): { server?: string } => {
    const gameServer = authenticated.get(req);
    return isOne || !gameServer ? {} : { server: gameServer.name };
  };
  const needToken: RequestHandler = (req, res, next) => {
    const gameServer = authenticate(req);
    if (gameServer) {
      authenticated.set(req, gameServer);
      connections.keepOpen(req);
      connectionShares.track(gameServer, req.socket, connections.count() > most);
      return next();
    }
    log.warn({ address: addressKey(req.ip ?? "") }, "Rejected a bridge request: missing or wrong token (normal after a doctor run)");
    refuse(res, "unauthorized");
  };

  /** A handler for requests of a game server. */
  const of =
    (handle: (server: BridgedServer, ...args: Parameters<RequestHandler>) => unknown): RequestHandler =>
    (req, res, next) => {
      const gameServer = authenticated.get(req);
      return gameServer ? handle(gameServer, req, res, next) : next();
    };

  // A page could resolve its own name to this machine, and read what is for programs there.
  app.use((req, res, next) => {
    if (!isLoopback(deps.host) || isForLoopback(req)) return next();
    const fields = { host: printable(req.headers.host) };
    log.warn(fields, "Rejected a bridge request: its Host is not a name of this machine");
    refuse(res, "host_not_allowed");
  });
  const queues = new Map(isOne ? [] : servers.map(server => [server, createFairQueue(deps.clock)]));
  const queueOf = (req: Request) => {
    const gameServer = authenticated.get(req) ?? authenticate(req);
    return gameServer && queues.get(gameServer);
  };
  const enqueue: RequestHandler = (req, res, next) => {
    const queue = queueOf(req);
    if (queue) queue.enqueue(req, res, next);
    else next();
  };
  const bodyRead: RequestHandler = (req, _res, next) => {
    queueOf(req)?.bodyRead(req.path === PATHS.poll);
    next();
  };
  const forMonitors: RequestHandler = (req, res, next) => {
    const isLocal = isLoopback(req.socket.remoteAddress ?? "") && isForLoopback(req);
    return isLocal || authenticate(req) ? next() : refuse(res, "unauthorized");
  };
  app.get("/readyz", forMonitors, enqueue, bodyRead, (_req, res) => {
    const ready = deps.readiness();
    sendJson(res, ready, ready.status === "ready" ? 200 : 503);
  });
  app.get("/metrics", forMonitors, enqueue, bodyRead, (_req, res, next) => {
    metrics
      .text()
      .then(
        ({ type, body }) => sendAnswer(res, { status: 200, headers: { "Content-Type": type }, body }),
        next,
      );
  });
  app.use(needToken, enqueue);
  app.get(
    STATUS_PATH,
    bodyRead,
    of(({ status }, _req, res, next) => void status().then(status => sendJson(res, status), next)),
  );
  app.all(STATUS_PATH, (_req, res) => refuse(res, "method_not_allowed", {}, { Allow: "GET" }));
  app.use(rawBody(MAX_BODY_BYTES), bodyRead);
  const malformed = (req: Request, fault: string): void =>
    log.warn(
      { ...tagOf(req), path: req.path, fault: printable(fault) },
      "Rejected a malformed bridge message",
    );
  app.post(
    PATHS.hello,
    of(({ pack }, req, res) => checked(hello, malformed, pack.hello, req, res)),
  );
  app.post(
    PATHS.poll,
    of(({ pack }, req, res) => checked(poll, malformed, pack.poll, req, res)),
  );
  app.post(
    PATHS.facts,
    of(({ pack }, req, res) => checked(factsFrame, malformed, pack.facts, req, res)),
  );
  app.post(
    PATHS.bans,
    of(({ pack }, req, res) => checked(bansFrame, malformed, pack.bans, req, res)),
  );
  app.all(Object.values(PATHS), (_req, res) => refuse(res, "method_not_allowed", {}, { Allow: "POST" }));
  app.use((_req, res) => refuse(res, "not_found"));
  app.use(
    errorHandler(
      (res, status) => refuse(res, status === 413 ? "body_too_large" : "invalid_message"),
      (res, error, { path }) => {
        if (error instanceof StorageFault) return refuse(res, "storage_away");
        const detail = randomUUID();
        log.error(
          { requestId: detail, error, path: printable(path) },
          "Unexpected error in a bridge request",
        );
        refuse(res, "unexpected_result", { detail });
      },
    ),
  );
  const report = (error: unknown): void => log.warn({ error }, "a fault ended a connection");
  const { handle } = createAppListener(app);
  const server = createHttpServer({ timeouts: deps.timeouts, handle, report });
  const connections = limitConnections(server, {
    most,
    mostPerAddress: Number.POSITIVE_INFINITY,
    trust: () => false,
    onRefused() {
      const open = connections.count();
      if (open > most + 1) return;
      log.warn(
        { connections: open },
        "Bridge connection limit reached: closing the oldest unauthenticated connections",
      );
    },
  });
  const underWay = new Set<ServerResponse>();
  server.on("request", (_req, res) => {
    underWay.add(res);
    res.once("close", () => underWay.delete(res));
  });
  return { server, underWay: () => [...underWay], connections: connections.count };
}

/**
 * Connections by the game server that they were used for last, the oldest first. With `isTight`, the oldest one of a game server
 * with more than `most` is closed.
 */
function createConnectionShares<T extends object>(most: number) {
  const open = new WeakMap<T, Set<Socket>>();
  const owners = new WeakMap<Socket, Set<Socket>>();
  return {
    track(whose: T, socket: Socket, isTight: boolean): void {
      const own = open.get(whose) ?? new Set<Socket>();
      open.set(whose, own);
      const before = owners.get(socket);
      if (before === undefined) socket.once("close", () => owners.get(socket)?.delete(socket));
      if (before !== own) before?.delete(socket);
      owners.set(socket, own.add(socket));
      const [oldest] = own;
      if (isTight && own.size > most) oldest?.resetAndDestroy();
    },
  };
}

const NO_OBJECT = { fault: "body: expected a JSON object, sent as application/json" };

type PackAnswer = Result<object, PackRefusal> | undefined;

/** Checks a message, and answers it; `gone` is aborted when the connection closes. */
async function checked<T>(
  guard: Guard<T>,
  malformed: (req: Request, fault: string) => void,
  answer: (message: T, gone: AbortSignal) => Promise<PackAnswer>,
  req: Request,
  res: Response,
): Promise<void> {
  const body = jsonObject(req.get("Content-Type"), req.body);
  const read = "fault" in body ? NO_OBJECT : check(guard, body.value);
  if ("fault" in read) {
    malformed(req, read.fault);
    return refuse(res, "invalid_message", { detail: read.fault });
  }
  const gone = new AbortController();
  res.on("close", () => gone.abort());
  const answered = await answer(read.value, gone.signal);
  if (answered === undefined) return;
  if ("value" in answered) sendJson(res, answered.value);
  else refuse(res, answered.fault.error, answered.fault.more);
}

function refuse(res: Response, error: BridgeErrorCode, more: object = {}, headers?: { Allow: string }): void {
  sendJson(res, { error, ...more }, BRIDGE_ERRORS[error], headers);
}

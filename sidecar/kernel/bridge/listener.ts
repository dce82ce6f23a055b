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
 * Connection limit: at least the first, and the second for each game server. Over it, the oldest unauthenticated connections are
 * closed, then the oldest of a game server with more than its share.
 */
const MIN_CONNECTION_LIMIT = 32;
const MAX_CONNECTIONS_PER_SERVER = 3;

interface BridgeDeps {
  clock: Clock;
  log: Log;
  timeouts: ClientTimeouts;
  /** address that the listener is bound to */
  host: string;
  servers: readonly BridgedServer[];
  metrics: SidecarMetrics;
  /** body of `GET /readyz` */
  readiness(): { status: "ready" | "unavailable" };
}

/** A game server, which authenticates with its token. */
interface BridgedServer {
  name: string;
  token: string;
  pack: PackSession;
  status(): Promise<BridgeStatus>;
}

interface BridgeServer {
  server: Server;
  /** responses in progress */
  underWay(): ServerResponse[];
  /** open connections */
  connections(): number;
}

/** Creates the listener for packs and metrics scrapers; it does not listen yet. */
export function createBridgeServer(deps: BridgeDeps): BridgeServer {
  const { metrics, log, servers } = deps;
  const serverOf = createSecretCheck(servers);
  const maxConnections = Math.max(MIN_CONNECTION_LIMIT, MAX_CONNECTIONS_PER_SERVER * servers.length);
  const isOne = servers.length === 1;
  const connectionShares = createConnectionShares<BridgedServer>(
    isOne ? Number.POSITIVE_INFINITY : Math.floor(maxConnections / servers.length),
  );
  const app = express()
    .disable("x-powered-by")
    .disable("etag")
    .enable("strict routing")
    .enable("case sensitive routing");

  /** The game server whose token the request has: bare, as sent by packs, or after `Bearer`, as sent by scrapers. */
  const authenticate = (req: Request): BridgedServer | undefined =>
    serverOf((req.get("Authorization") ?? "").replace(/^Bearer +/i, ""));
  const authenticated = new WeakMap<Request, BridgedServer>();
  /** Log fields with the game server of a request, if there are several. */
  const tagOf = (req: Request): { server?: string } => {
    const gameServer = authenticated.get(req);
    return isOne || !gameServer ? {} : { server: gameServer.name };
  };
  const requireToken: RequestHandler = (req, res, next) => {
    const gameServer = authenticate(req);
    if (gameServer) {
      authenticated.set(req, gameServer);
      connections.keepOpen(req);
      connectionShares.track(gameServer, req.socket, connections.count() > maxConnections);
      return next();
    }
    log.warn(
      { address: addressKey(req.ip ?? "") },
      "Rejected a bridge request: missing or wrong token (normal after a doctor run)",
    );
    refuse(res, "unauthorized");
  };

  /** A handler for authenticated requests. */
  const of =
    (handle: (server: BridgedServer, ...args: Parameters<RequestHandler>) => unknown): RequestHandler =>
    (req, res, next) => {
      const gameServer = authenticated.get(req);
      return gameServer ? handle(gameServer, req, res, next) : next();
    };

  // A website could resolve its own name to this machine (DNS rebinding), and read answers for local programs only.
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
  const requireLocalOrToken: RequestHandler = (req, res, next) => {
    const isLocal = isLoopback(req.socket.remoteAddress ?? "") && isForLoopback(req);
    return isLocal || authenticate(req) ? next() : refuse(res, "unauthorized");
  };
  app.get("/readyz", requireLocalOrToken, enqueue, bodyRead, (_req, res) => {
    const ready = deps.readiness();
    sendJson(res, ready, ready.status === "ready" ? 200 : 503);
  });
  app.get("/metrics", requireLocalOrToken, enqueue, bodyRead, (_req, res, next) => {
    metrics
      .text()
      .then(
        ({ type, body }) => sendAnswer(res, { status: 200, headers: { "Content-Type": type }, body }),
        next,
      );
  });
  app.use(requireToken, enqueue);
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
    of(({ pack }, req, res) => handleChecked(hello, malformed, pack.hello, req, res)),
  );
  app.post(
    PATHS.poll,
    of(({ pack }, req, res) => handleChecked(poll, malformed, pack.poll, req, res)),
  );
  app.post(
    PATHS.facts,
    of(({ pack }, req, res) => handleChecked(factsFrame, malformed, pack.facts, req, res)),
  );
  app.post(
    PATHS.bans,
    of(({ pack }, req, res) => handleChecked(bansFrame, malformed, pack.bans, req, res)),
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
  const report = (error: unknown): void => log.warn({ error }, "Unexpected error on a connection");
  const { handle } = createAppListener(app);
  const server = createHttpServer({ timeouts: deps.timeouts, handle, report });
  const connections = limitConnections(server, {
    most: maxConnections,
    mostPerAddress: Number.POSITIVE_INFINITY,
    trust: () => false,
    onRefused() {
      const open = connections.count();
      if (open > maxConnections + 1) return;
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
 * Tracks connections by the game server that used them last, the oldest first. With `isTight`, the oldest one of a game server with
 * more than `max` is closed.
 */
function createConnectionShares<T extends object>(max: number) {
  const open = new WeakMap<T, Set<Socket>>();
  const owners = new WeakMap<Socket, Set<Socket>>();
  return {
    track(whose: T, socket: Socket, isTight: boolean): void {
      const connections = open.get(whose) ?? new Set<Socket>();
      open.set(whose, connections);
      const before = owners.get(socket);
      if (before === undefined) socket.once("close", () => owners.get(socket)?.delete(socket));
      if (before !== connections) before?.delete(socket);
      owners.set(socket, connections.add(socket));
      const [oldest] = connections;
      if (isTight && connections.size > max) oldest?.resetAndDestroy();
    },
  };
}

const NOT_AN_OBJECT = { fault: "body: expected a JSON object, sent as application/json" };

type PackAnswer = Result<object, PackRefusal> | undefined;

/** Checks a message and answers it; `gone` is aborted when the connection closes. */
async function handleChecked<T>(
  guard: Guard<T>,
  malformed: (req: Request, fault: string) => void,
  answer: (message: T, gone: AbortSignal) => Promise<PackAnswer>,
  req: Request,
  res: Response,
): Promise<void> {
  const body = jsonObject(req.get("Content-Type"), req.body);
  const read = "fault" in body ? NOT_AN_OBJECT : check(guard, body.value);
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

import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import express, { type Express } from "express";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { SidecarMetrics } from "../../platform/metrics.ts";
import type { Rates } from "../storage/ports.ts";
import { type Admission, createAdmission, type RequestRefusal } from "./admission.ts";
import { type Answer, sendAnswer } from "./answer.ts";
import {
  catchListenerErrors,
  createAppListener,
  offersWithBody,
  servePlainly,
  wantsWebSocket,
} from "./app-listener.ts";
import type { Trust } from "./client-address.ts";
import type { ApiSettings } from "./description.ts";
import type { Keys } from "./keys.ts";
import type { Moderators } from "./moderators.ts";
import { limitConnections } from "./overload/connections.ts";
import { MAX_BODY_AFTER_ANSWER } from "./overload/rules.ts";
import { type ClientTimeouts, createHttpServer, endConnectionAfter } from "./overload/server.ts";
import { createPublicReads } from "./public-reads.ts";
import type { Refusals } from "./refusals.ts";
import { createRefusedRequestLog, type RefusedRequestLog } from "./refusals.ts";
import { assignRequestId } from "./request-id.ts";
import type { BoundRoute, Declaration } from "./route.ts";
import { addRoutes, type ServedRoutes } from "./router.ts";

interface ListenerDeps {
  api: ApiSettings;
  clock: Clock;
  log: Log;
  /** not throttled, for lines that only owners can cause */
  ownerLog: Log;
  metrics: SidecarMetrics;
  rates: Rates;
  timeouts: ClientTimeouts;
  /** connections that the system allows */
  possibleConnections: number;
  keys: Keys;
  moderators: Moderators;
  refusals: Refusals;
}

/** Functions of the listener for features. */
export interface ListenerTools extends Pick<ListenerDeps, "keys" | "metrics" | "moderators" | "refusals"> {
  trust: Trust;
  admission: Admission;
  logRefusedRequest: RefusedRequestLog;
  /** keeps a connection open when its address is blocked */
  keepWhenBlocked(socket: Duplex): void;
  /** logs a fault that has ended a connection */
  report(error: unknown): void;
}

/** What the listener serves. */
interface ListenerHandlers<W extends { name: string }> extends ServedRoutes<W> {
  /** of the paths that are not described, those for pages of every origin */
  othersForAll: readonly string[];
  /** As in `ServedFeature`; not counted against a rate. */
  answerAtOnce(req: IncomingMessage, res: ServerResponse, extra: OutgoingHttpHeaders | undefined): boolean;
  /** As in `ServedFeature`. */
  onUpgrade(req: IncomingMessage, raw: Duplex, head: Buffer, isPast: boolean): void;
}

interface PublicServer {
  server: Server;
  /** responses in progress */
  underWay(): ServerResponse[];
  /** open connections */
  connections(): number;
}

/** Whether a request has a body that could be read for long after its answer. */
const mayGoOn = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined ||
  Number(headers["content-length"] ?? 0) > MAX_BODY_AFTER_ANSWER;

/** Prepares the public listener: the tools for features, and `open`, which makes it of what they serve. */
export function prepareListener(deps: ListenerDeps) {
  const { api, log, keys, metrics, moderators, refusals } = deps;
  const report = (error: unknown): void => log.warn({ error }, "Unexpected error on a connection");
  const app = express();
  app.set("trust proxy", api.trustProxy);
  const trust: Trust = app.get("trust proxy fn");
  let forAll: readonly string[] = [];
  let isPublicRead = (_req: IncomingMessage): boolean => false;
  let connections: ReturnType<typeof limitConnections> | undefined;
  const admission = createAdmission({
    ...deps,
    trust,
    report,
    isForAll: ({ url = "" }) => forAll.includes(url.split("?", 1)[0] ?? ""),
    isPublic: req => api.publicOrigins === "*" && isPublicRead(req),
    onBlocked: address => connections?.closeAddress(address),
  });
  const tools: ListenerTools = {
    trust,
    admission,
    report,
    keys,
    metrics,
    moderators,
    refusals,
    logRefusedRequest: createRefusedRequestLog(deps, trust),
    keepWhenBlocked: socket => connections?.keepWhenBlocked(socket),
  };
  return {
    tools,
    /** The listener, not listening yet. */
    open<W extends { name: string }>(answering: ListenerHandlers<W>): PublicServer {
      const { routes, othersForAll } = answering;
      forAll = [...pathsOf(routes, ({ isForEveryOrigin }) => isForEveryOrigin === true), ...othersForAll];
      isPublicRead = createPublicReads(routes, api);
      const { server, limited } = createListener(app, deps, tools, answering);
      connections = limited;
      return { server, underWay: admission.underWay, connections: limited.count };
    },
  };
}

const pathsOf = (
  routes: readonly Pick<BoundRoute<never>, "about" | "path">[],
  are: (about: Declaration) => unknown,
): string[] => routes.filter(({ about }) => are(about)).map(({ path }) => path);

function createListener<W extends { name: string }>(
  app: Express,
  { api, log, metrics, timeouts, possibleConnections }: ListenerDeps,
  { admission, logRefusedRequest, report, trust }: ListenerTools,
  answering: ListenerHandlers<W>,
) {
  const { limits } = api;
  const freeForProxies = pathsOf(answering.routes, ({ isFreeForProxies }) => isFreeForProxies);
  const { handle, isUnreadable } = createAppListener(app);
  addRoutes(app, { api, log, metrics, admission }, answering, isUnreadable);

  /** Refuses a request before the framework. A refusal by a limit is the last answer of its connection. */
  function refuse(
    req: IncomingMessage,
    res: ServerResponse,
    code: RequestRefusal,
    extra: Record<string, string> | undefined,
    answer: Answer = admission.refusalAnswers[code],
  ): void {
    const isHostOrOrigin = code === "host_not_allowed" || code === "origin_not_allowed";
    metrics.request("none", answer.status);
    if (!isHostOrOrigin) admission.endConnection(req);
    sendAnswer(res, answer, { ...extra, ...(!isHostOrOrigin && { Connection: "close" }) });
    if (isHostOrOrigin) logRefusedRequest(req, code);
  }

  function answer(
    req: IncomingMessage,
    res: ServerResponse,
    refusal: RequestRefusal | undefined,
    extra: Record<string, string> | undefined,
  ): void {
    if (refusal !== undefined) {
      refuse(req, res, refusal, extra);
      return;
    }
    // A page of a listed origin may read a refusal too.
    for (const [name, value] of Object.entries(extra ?? {})) res.setHeader(name, value);
    handle(req, res);
  }

  /** Over the connection limit only the health check is answered. */
  function answerOverLimit(req: IncomingMessage, res: ServerResponse): void {
    if (req.url !== "/healthz") {
      refuse(req, res, "too_many_connections", admission.corsOf(req));
      return;
    }
    admission.endConnection(req);
    endConnectionAfter(res);
    answer(req, res, admission.hostOrOriginFault(req), undefined);
  }

  /** Answers a request within the limits. */
  function answerOne(req: IncomingMessage, res: ServerResponse): void {
    // A trusted proxy sends this for each request of its clients, which are counted when it forwards them.
    if (freeForProxies.includes(req.url ?? "") && trust(req.socket.remoteAddress ?? "", 0)) {
      answer(req, res, admission.hostOrOriginFault(req), undefined);
      return;
    }
    const admitted = admission.admit(req);
    const { code, cors } = admitted;
    // The most frequent requests cost no more than a refusal, so they are not counted.
    if (code === undefined && answering.answerAtOnce(req, res, cors)) return;
    admission.count(req, admitted, (refusal, limit) => answer(req, res, refusal, { ...cors, ...limit }));
  }

  function serve(req: IncomingMessage, res: ServerResponse): void {
    if (admission.isDropped(req)) return;
    assignRequestId(req, trust);
    // Node drops what was sent right after such a body, and would continue with what comes later.
    if (offersWithBody(req)) endConnectionAfter(res);
    if (mayGoOn(req)) {
      endConnectionAfter(res);
      res.once("finish", () => {
        if (!req.complete) admission.onBodyAfterAnswer(req);
      });
    }
    const out = admission.blockedAnswer(req);
    if (admission.exceedsBudget(req, res) || out) {
      admission.countRefusal(req);
      refuse(req, res, "rate_limited", admission.corsOf(req), out);
    } else if (connections.isOverLimit(req)) answerOverLimit(req, res);
    else answerOne(req, res);
  }

  const server = createHttpServer({
    timeouts,
    report,
    handle: serve,
    isUpgrade: req => !offersWithBody(req),
    isAnswering: admission.isAnswering,
    onBroken: (socket, isReset) => admission.onBrokenConnection(socket as Socket, isReset),
  });
  const connections = limitConnections(server, {
    most: Math.min(limits.connections, possibleConnections),
    mostPerAddress: limits.connectionsPerAddress,
    trust,
    onRefused: metrics.connectionRefused,
    isBlocked: admission.isDisconnected,
  });
  server.on(
    "upgrade",
    catchListenerErrors(
      (req: IncomingMessage, raw: Duplex, head: Buffer) => {
        // Before a body has arrived, Node 26 passes another object than the connection, whose errors would end the process.
        if (raw !== req.socket) raw.on("error", () => undefined);
        // The connection was reset, or has an earlier answer under way, which an upgrade may not overtake.
        if (admission.isAnswering(req.socket) || req.socket.remoteAddress === undefined)
          return void raw.destroy();
        admission.stopCounting(req.socket);
        assignRequestId(req, trust);
        if (wantsWebSocket(req)) answering.onUpgrade(req, raw, head, connections.isOverLimit(req));
        // It returns as a request.
        else servePlainly(back => server.emit("connection", back), req, raw, head);
      },
      (_req, raw) => raw.destroy(),
      report,
    ),
  );
  return { server, limited: connections };
}

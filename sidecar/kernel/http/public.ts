import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import express from "express";
import { createSockets, type Sockets } from "../../features/chat/socket/sockets.ts";
import { offersWithBody, servePlainly, wantsWebSocket } from "../../features/chat/socket/upgrade.ts";
import { createEvents } from "../../features/feed/routes.ts";
import { createStreams, type Streams } from "../../features/feed/stream/streams.ts";
import { PROVIDER_PATHS } from "../../features/sign-in/provider-port.ts";
import { FORWARD_PATH } from "../../features/sites/routes.ts";
import { prepareSnapshots } from "../../features/status/snapshot-routes.ts";
import { createAdmission, type Refusal } from "./admission.ts";
import { type Answer, sendAnswer } from "./answer.ts";
import { createAppListener } from "./app-listener.ts";
import type { Trust } from "./client-address.ts";
import { contained } from "./contained.ts";
import type { PublicDeps } from "./deps.ts";
import { limitConnections } from "./overload/connections.ts";
import { MOST_BEHIND } from "./overload/rules.ts";
import { createContainedServer, endBehind } from "./overload/server.ts";
import { addRoutes } from "./router.ts";
import { createStrangerLog } from "./stranger-log.ts";

interface PublicServer {
  server: Server;
  /** answers that nobody has taken yet */
  underWay(): ServerResponse[];
  /** connections that are open */
  connections(): number;
  sockets: Sockets;
  streams: Streams;
}

type Cors = Record<string, string> | undefined;

/** Whether a request has a body that would be read for long behind its answer: chunks of one byte cost as much as whole ones. */
const mayGoOn = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > MOST_BEHIND;

/** The public listener, not listening yet. */
export function createPublicServer(deps: PublicDeps): PublicServer {
  const { api, clock, feed, log, metrics, patience, possibleConnections, webChat, worlds } = deps;
  const { limits } = api;
  const report = (error: unknown): void => log.warn({ error }, "a fault ended a connection");
  const app = express();
  app.set("trust proxy", api.trustProxy);
  const trust: Trust = app.get("trust proxy fn");
  const forAll: readonly string[] = [
    FORWARD_PATH,
    ...(deps.signInRoutes ? Object.values(PROVIDER_PATHS) : []),
  ];
  const isForAll = ({ url = "" }: IncomingMessage): boolean => forAll.includes(url.split("?", 1)[0] ?? "");
  const shutOut = (address: string): void => connections.endOf(address);
  const admission = createAdmission({ ...deps, trust, isForAll, shutOut, report });
  const noteStranger = createStrangerLog(deps, trust);
  const lasts = (socket: Duplex): unknown => connections.lasts(socket);
  const listenerDeps = { ...deps, trust, admission, noteStranger, lasts };
  const prepared = prepareSnapshots(worlds, api.metricsRefreshInterval);
  const streams = createStreams({
    clock,
    log,
    metrics,
    feed,
    pay: admission.pay,
    hasChat: () => webChat.mode() !== "off",
    worlds: worlds.all.map(world => ({ name: world.name, body: prepared.of(world).body })),
    heartbeatMs: api.heartbeatInterval,
    places: { most: limits.eventClients, mostPerAddress: limits.eventClientsPerAddress },
    bufferBytes: limits.websocketBufferBytes,
  });
  for (const [place, { snapshots }] of worlds.all.entries())
    snapshots.onChange(() => streams.onSnapshot(place));
  const events = createEvents(listenerDeps, streams);
  const { handle, isUnreadable } = createAppListener(app);
  addRoutes(app, listenerDeps, { answersOf: prepared.of, events }, isUnreadable);

  /** Refuses a request ahead of the framework; a client that asks for too much has no further answer on its connection. */
  function refuse(
    req: IncomingMessage,
    res: ServerResponse,
    code: Refusal,
    cors: Cors,
    answer: Answer = admission.answers[code],
  ): void {
    const isStranger = code === "host_not_allowed" || code === "origin_not_allowed";
    metrics.request("none", answer.status);
    if (!isStranger) admission.end(req);
    sendAnswer(res, answer, { ...cors, ...(!isStranger && { Connection: "close" }) });
    if (isStranger) noteStranger(req, code);
  }

  function answer(req: IncomingMessage, res: ServerResponse, refusal: Refusal | undefined, cors: Cors): void {
    if (refusal !== undefined) {
      refuse(req, res, refusal, cors);
      return;
    }
    // A page of a listed origin may read a refusal too.
    for (const [name, value] of Object.entries(cors ?? {})) res.setHeader(name, value);
    handle(req, res);
  }

  /** Past the limit of connections only the health check is answered. */
  function answerPast(req: IncomingMessage, res: ServerResponse): void {
    if (req.url !== "/healthz") {
      refuse(req, res, "too_many_connections", admission.corsOf(req));
      return;
    }
    admission.end(req);
    endBehind(res);
    answer(req, res, admission.strangerOf(req), undefined);
  }

  /** Answers what is neither dropped nor one too many. */
  function answerOne(req: IncomingMessage, res: ServerResponse): void {
    // A proxy that is believed asks it for each request of everybody: what counts is what it lets through.
    if (req.url === FORWARD_PATH && trust(req.socket.remoteAddress ?? "", 0)) {
      answer(req, res, admission.strangerOf(req), undefined);
      return;
    }
    const admitted = admission.admit(req);
    const { code, cors } = admitted;
    // What most clients ask for most of the time costs no more than a refusal would, so that it is not counted against the rate.
    if (code === undefined && prepared.send(req, res, cors)) return;
    admission.count(req, admitted, refusal => answer(req, res, refusal, cors));
  }

  function serve(req: IncomingMessage, res: ServerResponse): void {
    if (admission.drops(req)) return;
    // Node drops what was sent right behind such a body, and would go on with what comes later.
    if (offersWithBody(req)) endBehind(res);
    if (mayGoOn(req)) {
      endBehind(res);
      res.once("finish", () => {
        if (!req.complete) admission.goesOn(req);
      });
    }
    const out = admission.outOf(req);
    if (admission.isOver(req, res) || out) {
      admission.strike(req);
      refuse(req, res, "rate_limited", admission.corsOf(req), out);
    } else if (connections.isPast(req)) answerPast(req, res);
    else answerOne(req, res);
  }

  const server = createContainedServer({
    patience,
    report,
    handle: serve,
    isUpgrade: req => !offersWithBody(req),
    isAnswering: admission.isAnswering,
    broken: (socket, isReset) => admission.broken(socket as Socket, isReset),
  });
  const connections = limitConnections(server, {
    most: Math.min(limits.connections, possibleConnections),
    mostPerAddress: limits.connectionsPerAddress,
    trust,
    refused: metrics.connectionRefused,
    isShutOut: admission.isCutOff,
  });
  const sockets = createSockets(listenerDeps, report);
  server.on(
    "upgrade",
    contained(
      (req: IncomingMessage, raw: Duplex, head: Buffer) => {
        // Before a body has come, Node 26 hands out something else than the connection, whose errors would end the process.
        if (raw !== req.socket) raw.on("error", () => undefined);
        // Reset meanwhile: nobody is there to be answered or counted. And an upgrade may not overtake an earlier answer.
        if (admission.isAnswering(req.socket) || req.socket.remoteAddress === undefined)
          return void raw.destroy();
        admission.leave(req.socket);
        if (wantsWebSocket(req)) sockets.onUpgrade(req, raw, head, connections.isPast(req));
        // It comes back as a request.
        else servePlainly(back => server.emit("connection", back), req, raw, head);
      },
      (_req, raw) => raw.destroy(),
      report,
    ),
  );
  return { server, underWay: admission.underWay, streams, sockets, connections: connections.count };
}

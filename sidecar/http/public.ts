import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import express from "express";
import { perMinute } from "../domain/rate.ts";
import { createAdmission, type Ended, type Refusal } from "./admission.ts";
import { sendAnswer } from "./answer.ts";
import { createAppListener } from "./app-listener.ts";
import { createSockets, type Sockets } from "./chat/sockets.ts";
import { offersWithBody, servePlainly, wantsWebSocket } from "./chat/upgrade.ts";
import type { Trust } from "./client-address.ts";
import { contained } from "./contained.ts";
import { limitConnections } from "./crowds/connections.ts";
import { createDoor } from "./crowds/door.ts";
import { type ContainedServer, createContainedServer } from "./crowds/server.ts";
import { createStreams, type Streams } from "./events/streams.ts";
import { endBehind, takeNoMore } from "./node-internals.ts";
import { PROVIDER_PATHS } from "./provider.ts";
import { addRoutes } from "./router.ts";
import type { PublicDeps } from "./routes/deps.ts";
import { createEvents } from "./routes/events.ts";
import { FORWARD_PATH } from "./routes/sites.ts";
import { prepareSnapshots } from "./routes/snapshot.ts";
import { createStrangerLog } from "./stranger-log.ts";

interface PublicServer extends Omit<ContainedServer, "leave"> {
  /** connections that are open */
  connections(): number;
  sockets: Sockets;
  streams: Streams;
}

/** The public listener, not listening yet. */
export function createPublicServer(deps: PublicDeps): PublicServer {
  const { api, clock, feed, log, metrics, patience, possibleConnections, rates, webChat, worlds } = deps;
  const { limits } = api;
  const report = (error: unknown): void => log.warn({ error }, "a fault ended a connection");
  const app = express();
  app.set("trust proxy", api.trustProxy);
  const trust: Trust = app.get("trust proxy fn");
  const isPast = (req: IncomingMessage): boolean => connections.isPast(req);
  const forAll: readonly string[] = [
    FORWARD_PATH,
    ...(deps.signInRoutes ? Object.values(PROVIDER_PATHS) : []),
  ];
  const isForAll = ({ url = "" }: IncomingMessage): boolean => forAll.includes(url.split("?", 1)[0] ?? "");
  const admission = createAdmission({ api, clock, rates, trust, isPast, isForAll, report });
  const noteStranger = createStrangerLog(deps, trust);
  const listenerDeps = { ...deps, trust, admission, noteStranger };
  const prepared = prepareSnapshots(worlds, api.metricsRefreshInterval);
  const streams = createStreams({
    clock,
    log,
    metrics,
    feed,
    rates,
    rate: { ...perMinute(limits.requestsPerMinute), name: "catch-up" },
    hasChat: () => webChat.mode() !== "off",
    worlds: worlds.all.map(world => ({ name: world.name, body: prepared.of(world).body })),
    heartbeatMs: api.heartbeatInterval,
    places: { most: limits.eventClients, mostPerAddress: limits.eventClientsPerAddress },
    bufferBytes: limits.websocketBufferBytes,
  });
  for (const [place, { snapshots }] of worlds.all.entries())
    snapshots.onChange(() => streams.onSnapshot(place));
  const events = createEvents(listenerDeps, streams, report);
  const { handle, isUnreadable } = createAppListener(app);
  addRoutes(app, listenerDeps, { answersOf: prepared.of, events }, isUnreadable);

  /** Refuses a request ahead of the framework; who asks for too much has no further answer on its connection. */
  function refuse(req: IncomingMessage, res: ServerResponse, code: Refusal, cors: Ended["cors"]): void {
    const answer = admission.answers[code];
    const isStranger = code === "host_not_allowed" || code === "origin_not_allowed";
    metrics.request("none", answer.status);
    sendAnswer(res, answer, { ...cors, ...(!isStranger && { Connection: "close" }) });
    if (isStranger) noteStranger(req, code);
  }

  function route(req: IncomingMessage, res: ServerResponse, cors: Ended["cors"]): void {
    // A page of a listed origin may read a refusal too.
    for (const [name, value] of Object.entries(cors ?? {})) res.setHeader(name, value);
    handle(req, res);
  }

  function answer(
    req: IncomingMessage,
    res: ServerResponse,
    refusal: Refusal | undefined,
    cors: Ended["cors"],
  ): void {
    if (refusal === undefined) route(req, res, cors);
    else refuse(req, res, refusal, cors);
  }

  /** Past the limit of connections only the health check is answered. */
  function end(req: IncomingMessage, res: ServerResponse, { code, cors }: Ended): void {
    takeNoMore(req);
    if (code === "too_many_connections" && req.url === "/healthz") {
      endBehind(res);
      answer(req, res, admission.strangerOf(req), cors);
    } else admission.refuseInTurn(req, () => refuse(req, res, code, cors));
  }

  function serve(req: IncomingMessage, res: ServerResponse): void {
    // Node drops what was sent right behind such a body, and would go on with what comes later.
    if (offersWithBody(req)) endBehind(res);
    // A proxy that is believed asks it for each request of everybody: what counts is what it lets through.
    if (req.url === FORWARD_PATH && !isPast(req) && trust(req.socket.remoteAddress ?? "", 0)) {
      answer(req, res, admission.strangerOf(req), undefined);
      return;
    }
    const outcome = admission.admit(req);
    if (outcome.is === "ended") {
      end(req, res, outcome);
      return;
    }
    const { code, cors } = outcome;
    // What most clients ask for most of the time costs no more than a refusal would, so that it is not counted against the rate.
    if (code === undefined && prepared.send(req, res, cors)) return;
    if (code === undefined && events.stream(req, res, outcome)) return;
    admission.count(req, req.socket, outcome, refusal => {
      if (refusal === "rate_limited") takeNoMore(req);
      answer(req, res, refusal, cors);
      return refusal !== "rate_limited";
    });
  }

  const { server, leave, underWay } = createContainedServer(patience, serve, report, {
    addressOf: admission.addressOf,
    refuse: (req, res) => end(req, res, admission.bar(req)),
    isUpgrade: req => !offersWithBody(req),
  });
  const letIn = createDoor(server, { clock, report, crowd: admission.crowd, barredMs: admission.barredMs });
  const connections = limitConnections(server, {
    most: Math.min(limits.connections, possibleConnections),
    mostPerAddress: limits.connectionsPerAddress,
    trust,
    refused: metrics.connectionRefused,
  });
  server.prependListener("connection", streams.onConnection);
  const sockets = createSockets(listenerDeps, report);
  server.on(
    "upgrade",
    contained(
      (req: IncomingMessage, raw: Duplex, head: Buffer) => {
        // Before a body has come, Node 26 hands out something else than the connection, whose errors would end the process.
        if (raw !== req.socket) raw.on("error", () => undefined);
        const isAnswering = leave(req.socket);
        if (events.take(req.socket)) return;
        // Reset meanwhile: nobody is there to be answered or counted. And an upgrade may not overtake an earlier answer.
        if (isAnswering || req.socket.remoteAddress === undefined) return void raw.destroy();
        const outcome = admission.admit(req);
        const isOver = outcome.code === "rate_limited";
        if (isOver || wantsWebSocket(req)) sockets.onUpgrade(req, raw, head, outcome);
        // It comes back as a request.
        else servePlainly(letIn, req, raw, head);
      },
      (_req, raw) => raw.destroy(),
      report,
    ),
  );
  return { server, underWay, streams, sockets, connections: connections.count };
}

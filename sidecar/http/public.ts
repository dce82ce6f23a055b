import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import express from "express";
import { costOf, perMinute, secondsToNext } from "../domain/rate.ts";
import { createAppListener } from "./app-listener.ts";
import { createSockets, type Sockets } from "./chat/sockets.ts";
import { addressKey, clientAddress, type Trust } from "./client-address.ts";
import { limitConnections } from "./connections.ts";
import { type ContainedServer, contained, createContainedServer } from "./contained.ts";
import { corsHeaders } from "./cors.ts";
import { createDoor } from "./door.ts";
import { type PreparedError, prepareError } from "./errors.ts";
import { createStreams, type Streams } from "./events/streams.ts";
import { makeLast, retryAfter } from "./headers.ts";
import { createHostCheck } from "./host.ts";
import { createInOrder } from "./in-order.ts";
import { takeNoMore } from "./node-internals.ts";
import { createOriginCheck } from "./origin.ts";
import { createBar, createTurnCount } from "./pipelining.ts";
import { addRoutes } from "./router.ts";
import type { PublicDeps } from "./routes/deps.ts";
import { asksForEvents, createEvents } from "./routes/events.ts";
import { createSnapshotAnswers, type SnapshotPath } from "./routes/snapshot.ts";
import { createCrowd } from "./turns.ts";

/** Requests and connections of one address that may wait for their turn before further requests are refused. */
const MOST_WAITING = 2_048;

interface PublicServer extends Omit<ContainedServer, "leave"> {
  /** connections that are open */
  connections(): number;
  sockets: Sockets;
  streams: Streams;
}

/** The public listener, not listening yet. */
export function createPublicServer(deps: PublicDeps): PublicServer {
  const { api, clock, feed, log, metrics, possibleConnections, rates, webChat, world } = deps;
  const report = (error: unknown): void => log.warn({ error }, "a fault ended a connection");
  const app = express();
  app.set("trust proxy", api.trustProxy);
  const trust: Trust = app.get("trust proxy fn");
  const checkOrigin = createOriginCheck(api.corsOrigins, trust);
  const checkHost = createHostCheck(api, trust);
  const rate = { name: "requests", ...perMinute(api.limits.requestsPerMinute) };
  const later = retryAfter(secondsToNext(rate));
  const addresses = {
    take: (key: string) => rates.take({ key, rate }),
    pay(key: string, bytes: number): number | Promise<number> {
      const cost = costOf(bytes, rate);
      if (cost === 0) return 0;
      const wait = (over: number): number => (over < 0 ? 0 : secondsToNext(rate, cost));
      const taken = rates.take({ key, rate, cost });
      return typeof taken === "number" ? wait(taken) : taken.then(wait);
    },
    later,
  };
  const inOrder = createInOrder((connection: Duplex) => connection.destroy(), report);
  const listenerDeps = { ...deps, trust, checkHost, checkOrigin, addresses, inOrder };
  const answers = createSnapshotAnswers(world.snapshots, api.metricsRefreshInterval);
  const streams = createStreams({
    clock,
    log,
    metrics,
    feed,
    rates,
    rate: { ...rate, name: "catch-up" },
    hasChat: () => webChat.mode() !== "off",
    snapshot: answers.body,
    heartbeatMs: api.heartbeatInterval,
    bufferBytes: api.limits.websocketBufferBytes,
  });
  world.snapshots.onChange(streams.onSnapshot);
  const events = createEvents(listenerDeps, streams);
  const { handle, isUnreadable } = createAppListener(app);
  addRoutes(app, listenerDeps, { answers, events }, isUnreadable);

  const barred = createBar();
  const addressOf = (req: IncomingMessage): string => addressKey(clientAddress(req, trust) ?? "");
  const overRate = prepareError("rate_limited", later);
  const full = prepareError("too_many_connections", later);
  /** Refuses a request ahead of the framework, and ends its connection. */
  function end(req: IncomingMessage, res: ServerResponse, { status, body, headers }: PreparedError): void {
    takeNoMore(req);
    metrics.request("none", status);
    const cors = checkOrigin(req) === "listed" ? corsHeaders(req) : {};
    res.writeHead(status, { ...headers, ...cors, Connection: "close" }).end(body);
  }
  const refuse = (req: IncomingMessage, res: ServerResponse): void => end(req, res, overRate);
  const refusal = contained(refuse, req => req.socket.destroy(), report);
  const turn = createTurnCount(clock.monotonic);
  const crowd = createCrowd(clock.monotonic, report);

  function bar(req: IncomingMessage): void {
    barred.bar(addressOf(req), clock.monotonic());
  }

  /** When a request has its turn; over: never, as its address has had more than its share, and is barred for a while. */
  function shareOf(req: IncomingMessage): "now" | "later" | "over" {
    // The way that most requests take is the shortest.
    if (!barred.isEmpty() && barred.leftMs(addressOf(req), clock.monotonic()) > 0) return "over";
    const share = turn.take(() => addressOf(req));
    const isFull = share === "later" && crowd.waitingOf(addressOf(req)) > MOST_WAITING;
    if (share !== "over" && !isFull) return share;
    bar(req);
    return "over";
  }

  /** Whoever is over waits for the refusal like others of the address: hundreds at once would hold up everybody else. */
  function refuseInTurn(req: IncomingMessage, res: ServerResponse): void {
    const address = addressOf(req);
    takeNoMore(req);
    if (crowd.waitingOf(address) > MOST_WAITING) req.socket.destroy();
    else crowd.begin({ address, act: () => refusal(req, res) });
  }

  /** Counts a request against the rate of its address, at once or when the turn of that has come. */
  function take(req: IncomingMessage, isLater: boolean): number | Promise<number> {
    const address = addressOf(req);
    if (!isLater) return addresses.take(address);
    return new Promise<void>(resolve => crowd.begin({ address, act: resolve })).then(() =>
      addresses.take(address),
    );
  }

  /**
   * What most clients ask for most of the time is answered from prepared bytes ahead of the framework. It costs no more
   * than a refusal would, so it is not counted against the rate of an address; how many of them it gets in a turn, and how many
   * may be under way on a connection, is.
   */
  function takeFastPath(req: IncomingMessage, res: ServerResponse, path: SnapshotPath): boolean {
    const origin = checkOrigin(req);
    if (origin === "refused") return false;
    return answers.send(path, req, res, origin === "listed" ? corsHeaders(req) : undefined);
  }

  /** Only while the listener of the request runs, which does not wait for what was taken. */
  const beginStream = (req: IncomingMessage, res: ServerResponse, taken: number | Promise<number>): boolean =>
    asksForEvents(req) && checkHost(req) && checkOrigin(req) !== "refused" && events.stream(req, res, taken);

  /** What came on a connection past the limit: only the health check is answered. */
  function past(req: IncomingMessage, res: ServerResponse): void {
    if (req.url === "/healthz") {
      takeNoMore(req);
      makeLast(res);
      handle(req, res);
    } else end(req, res, full);
  }

  const { server, leave, underWay } = createContainedServer(
    deps.patience,
    (req, res) => {
      if (connections.isPast(req)) return past(req, res);
      const share = shareOf(req);
      if (share === "over") return refuseInTurn(req, res);
      const prepared = preparedPath(req);
      if (prepared !== undefined && checkHost(req) && takeFastPath(req, res, prepared)) return;
      const taken = take(req, share === "later");
      if ((typeof taken !== "number" || taken < 0) && beginStream(req, res, taken)) return;
      inOrder(req.socket, taken, (over, isLate) => {
        if (isLate && req.socket.destroyed) return false;
        if (isLate) events.miss(req);
        if (over < 0) return handle(req, res);
        refuse(req, res);
        return false;
      });
    },
    report,
    {
      addressOf,
      refuse(req, res) {
        bar(req);
        refuseInTurn(req, res);
      },
    },
  );
  createDoor(server, {
    ...{ crowd, clock, report },
    // Of a proxy that is believed, anybody may have said that it is the one who asks.
    barredMs: from => (trust(from, 0) ? 0 : barred.leftMs(addressKey(from), clock.monotonic())),
  });
  const connections = limitConnections(server, {
    most: Math.min(api.limits.connections, possibleConnections),
    mostPerAddress: api.limits.connectionsPerAddress,
    trust,
    refused: metrics.connectionRefused,
  });
  server.prependListener("connection", streams.onConnection);
  const sockets = createSockets(server, listenerDeps, connections.isPast, report);
  server.on(
    "upgrade",
    contained(
      (req: IncomingMessage, raw: Duplex, head: Buffer) => {
        const isAnswering = leave(raw);
        if (events.take(raw)) return;
        // One that would wait is dealt with all the same: most of what it costs is done.
        if (!isAnswering && shareOf(req) === "over") sockets.refuse(req, raw);
        else sockets.onUpgrade(req, raw, head, isAnswering);
      },
      (_req, raw) => raw.destroy(),
      report,
    ),
  );
  return { server, underWay, streams, sockets, connections: connections.count };
}

/** Which of the prepared answers is asked for, if one is. */
function preparedPath({ method, url }: IncomingMessage): SnapshotPath | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined;
  // Not the text of the request, which V8 would have to look up among all names.
  if (url === "/status") return "/status";
  return url === "/players" ? "/players" : undefined;
}

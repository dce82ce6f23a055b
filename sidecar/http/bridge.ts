import { randomUUID } from "node:crypto";
import express, { type Request, type RequestHandler, type Response } from "express";
import { BRIDGE_ERRORS, type BridgeErrorCode, type HelloAnswer, PATHS } from "../../shared/frames.ts";
import { check, type Guard } from "../../shared/guard.ts";
import { MAX_BODY_BYTES, POLL_HOLD_SECONDS } from "../../shared/limits.ts";
import { type FactsFrame, factsFrame, type Hello, hello, type Poll, poll } from "../../shared/requests.ts";
import { type BridgeStatus, STATUS_PATH } from "../../shared/status.ts";
import { PRODUCT_VERSION, sideToUpdate, WIRE_OLDEST, WIRE_VERSION } from "../../shared/version.ts";
import type { Facts } from "../app/facts.ts";
import type { GameServers } from "../app/game-servers.ts";
import type { Links } from "../app/links.ts";
import type { Refusals } from "../app/refusals.ts";
import { worldName } from "../domain/game-server.ts";
import { type Log, type Outbox, type Refusal, StorageFault, type Turn } from "../ports.ts";
import { createAppListener } from "./app-listener.ts";
import { jsonObject, rawBody } from "./body.ts";
import { addressKey } from "./client-address.ts";
import { limitConnections } from "./connections.ts";
import { type ContainedServer, createContainedServer, type Patience } from "./contained.ts";
import { errorHandler } from "./errors.ts";
import { keepAlive } from "./headers.ts";
import { isForLoopback, isLoopback } from "./host.ts";
import type { SidecarMetrics } from "./metrics.ts";
import { createSecretCheck } from "./secrets.ts";
import { printable } from "./throttled-log.ts";

/** Connections past which those go for later ones that have not shown the token: room for the packs of ten game servers. */
const CONNECTIONS = 32;

interface BridgeDeps {
  log: Log;
  patience: Patience;
  /** what the listener is bound to */
  host: string;
  token: string;
  refreshMs: number;
  /** how players are asked, and every text that they see */
  game: Pick<HelloAnswer, "linkForm" | "texts" | "languages">;
  outbox: Outbox;
  links: Links;
  facts: Facts;
  metrics: SidecarMetrics;
  refusals: Pick<Refusals, "lastMinute">;
  gameServers: GameServers;
  /** what runs, for whoever has the token */
  status(): Promise<BridgeStatus>;
}

interface BridgeServer extends ContainedServer {
  /** connections that are open */
  connections(): number;
}

/** The listener for the pack, not listening yet, and for scrapers of the sidecar's figures. */
export function createBridgeServer(deps: BridgeDeps): BridgeServer {
  const { metrics, log } = deps;
  const isToken = createSecretCheck(deps.token);
  const app = express()
    .disable("x-powered-by")
    .disable("etag")
    .enable("strict routing")
    .enable("case sensitive routing");

  /** Whether the request carries the token, as the pack sends it or after `Bearer`, as scrapers do. */
  const carriesToken = (req: Request): boolean =>
    isToken((req.get("Authorization") ?? "").replace(/^Bearer +/i, ""));
  const needToken: RequestHandler = (req, res, next) => {
    if (carriesToken(req)) {
      connections.keep(req);
      return next();
    }
    log.warn({ address: addressKey(req.ip ?? "") }, "refused a bridge request with a missing or wrong token");
    refuse(res, "unauthorized");
  };

  app.use((_req, res, next) => {
    res.set({ "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", ...keepAlive(res) });
    next();
  });
  // A page could have its own name stand for this machine, and read what is for programs there.
  app.use((req, res, next) => {
    if (!isLoopback(deps.host) || isForLoopback(req)) return next();
    const fields = { host: printable(req.headers.host) };
    log.warn(fields, "refused a bridge request by a name that is not the machine's own");
    refuse(res, "host_not_allowed");
  });
  app.get("/metrics", (req, res, next) => {
    const isLocal = isLoopback(req.socket.remoteAddress ?? "") && isForLoopback(req);
    if (!isLocal && !carriesToken(req)) return refuse(res, "unauthorized");
    metrics.text().then(({ type, body }) => res.type(type).send(body), next);
  });
  app.use(needToken);
  app.get(STATUS_PATH, (_req, res, next) => {
    deps.status().then(status => res.json(status), next);
  });
  app.all(STATUS_PATH, (_req, res) => {
    res.set("Allow", "GET");
    refuse(res, "method_not_allowed");
  });
  app.use(rawBody(MAX_BODY_BYTES));
  app.post(PATHS.hello, checked(hello, log, helloHandler(deps)));
  app.post(PATHS.poll, checked(poll, log, pollHandler(deps)));
  app.post(PATHS.facts, checked(factsFrame, log, factsHandler(deps)));
  app.all(Object.values(PATHS), (_req, res) => {
    res.set("Allow", "POST");
    refuse(res, "method_not_allowed");
  });
  app.use((_req, res) => refuse(res, "not_found"));
  app.use(
    errorHandler(
      (res, status) => refuse(res, status === 413 ? "body_too_large" : "invalid_message"),
      (res, error, { path }) => {
        if (error instanceof StorageFault) return refuse(res, "storage_away");
        const detail = randomUUID();
        log.error(
          { requestId: detail, error, path: printable(path) },
          "a bridge request ended with an unexpected result",
        );
        refuse(res, "unexpected_result", { detail });
      },
    ),
  );
  const report = (error: unknown): void => log.warn({ error }, "a fault ended a connection");
  const { handle } = createAppListener(app);
  const contained = createContainedServer(deps.patience, handle, report);
  const connections = limitConnections(contained.server, {
    most: CONNECTIONS,
    mostPerAddress: Number.POSITIVE_INFINITY,
    trust: () => false,
    refused() {
      const open = connections.count();
      if (open > CONNECTIONS + 1) return;
      log.warn(
        { connections: open },
        "many connections to the bridge listener: those that show no token go for later ones",
      );
    },
  });
  return { ...contained, connections: connections.count };
}

const NO_OBJECT = { fault: "body: expected a JSON object, sent as application/json" };

type Handler<T> = (message: T, res: Response) => Promise<void>;

/** Hands a message on once it has the agreed shape. */
function checked<T>(guard: Guard<T>, log: Log, handle: Handler<T>): RequestHandler {
  return async (req, res) => {
    const body: unknown = jsonObject(req.get("Content-Type"), req.body);
    const read = body === undefined ? NO_OBJECT : check(guard, body);
    if ("value" in read) return handle(read.value, res);
    log.warn({ path: req.path, fault: printable(read.fault) }, "refused a malformed bridge message");
    refuse(res, "invalid_message", { detail: read.fault });
  };
}

function helloHandler(deps: BridgeDeps): Handler<Hello> {
  const { facts, game, gameServers, links, log, outbox, refreshMs } = deps;
  const own = { wire: WIRE_VERSION, wireOldest: WIRE_OLDEST };
  return async (message, res) => {
    const update = sideToUpdate(message, own);
    if (update !== undefined) {
      const versions = { pack: message.product, sidecar: PRODUCT_VERSION };
      log.error(versions, `the pack speaks another wire version: update the ${update}`);
      return refuse(res, "wire_mismatch", { product: PRODUCT_VERSION, update });
    }
    const opened = await outbox.inTurn(async turn => {
      const begun = await outbox.open(message, turn);
      if ("value" in begun) {
        await facts.began(message.run, begun.value.lost, turn);
        await gameServers.connected(message);
      }
      return begun;
    });
    if ("fault" in opened) {
      await gameServers.refused(message);
      return refuseSession(deps, res, opened.fault);
    }
    const answer: HelloAnswer = {
      product: PRODUCT_VERSION,
      ...own,
      session: opened.value.session,
      refreshMs,
      ...game,
      links: await links.wanted(),
    };
    res.json(answer);
  };
}

function pollHandler(deps: BridgeDeps): Handler<Poll> {
  const { outbox } = deps;
  /** A poll ends before the hello that replaces its session has been dealt with. */
  const ended = (res: Response, fault: Refusal): Promise<void> =>
    outbox.inTurn(() => refuseSession(deps, res, fault));
  return async ({ session, after }, res) => {
    const gone = new AbortController();
    res.on("close", () => gone.abort());
    const taken = await outbox.take(session, after, POLL_HOLD_SECONDS * 1000, gone.signal);
    if (res.destroyed) return;
    if ("fault" in taken) return ended(res, taken.fault);
    const received = await outbox.received(session);
    if ("fault" in received) return ended(res, received.fault);
    res.json({ actions: taken.value, received: received.value.fact });
  };
}

function factsHandler(deps: BridgeDeps): Handler<FactsFrame> {
  const { facts, outbox, refusals } = deps;
  async function deal(frame: FactsFrame, res: Response, turn: Turn): Promise<void> {
    const { session, after, first } = frame;
    const received = await outbox.received(session, turn);
    if ("fault" in received) return refuseSession(deps, res, received.fault);
    const { run, fact } = received.value;
    let last = fact;
    const marked: Promise<void>[] = [];
    for (let rest = frame.facts.slice(Math.max(0, last - first + 1)); rest.length > 0; ) {
      const from = first + frame.facts.length - rest.length;
      const dealt = await facts.handle(rest, { run, first: from, turn });
      rest = rest.slice(dealt);
      last = from + dealt - 1;
      const mark = outbox.markReceived(session, last, turn);
      // What it is rejected with is met below.
      mark.catch(() => undefined);
      marked.push(mark);
    }
    const [taken] = await Promise.all([outbox.take(session, after, 0), ...marked]);
    if ("fault" in taken) return refuseSession(deps, res, taken.fault);
    const refused = refusals.lastMinute();
    res.json({ actions: taken.value, received: last, ...(refused && { refused }) });
  }

  // A frame sent again waits for its first copy.
  return (frame, res) => outbox.inTurn(turn => deal(frame, res, turn));
}

/** Whoever was replaced hears by which world. */
async function refuseSession({ gameServers }: BridgeDeps, res: Response, error: Refusal): Promise<void> {
  const world = error === "session_replaced" ? worldName(await gameServers.last()) : undefined;
  refuse(res, error, world === undefined ? {} : { detail: `world: ${world}` });
}

function refuse(res: Response, error: BridgeErrorCode, more: object = {}): void {
  res.status(BRIDGE_ERRORS[error]).json({ error, ...more });
}

import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { allow, sendAnswer } from "../../../kernel/http/answer.ts";
import { catchListenerErrors } from "../../../kernel/http/app-listener.ts";
import { type ErrorAnswer, errorAnswer, errorWith } from "../../../kernel/http/errors.ts";
import type { ListenerTools } from "../../../kernel/http/public.ts";
import { queryOf } from "../../../kernel/http/query.ts";
import { requestIdHeader, requestIdOf } from "../../../kernel/http/request-id.ts";
import { readSession } from "../../../kernel/http/session.ts";
import { printable } from "../../../platform/throttled-log.ts";
import { type FeedEntry, serverOf } from "../../feed/rules/window.ts";
import type { GameServers } from "../../servers/game-server.ts";
import type { WebChatRules } from "../rules/web-chat.ts";
import type { WebChat } from "../web-chat.ts";
import { type AddressedFrame, type ChatClient, createClients, messageFrame } from "./clients.ts";
import { createMessageHandler, type MessagesDeps } from "./messages.ts";

const GREETING = messageFrame("VERIFICATION", "Connection successful.");
const PING = messageFrame("PING", "heartbeat ping");

/** Fragments of a message; browsers send one. Each costs as much as a message. */
const MAX_FRAGMENTS = 16;
/** Network chunks of an unfinished message: each takes some memory. */
const MAX_CHUNKS = 128;

interface SocketsDeps extends MessagesDeps, ListenerTools {
  webChat: Pick<WebChat, "mode">;
  servers: GameServers;
}

/** Serves `/chat`. */
export function createSockets(deps: SocketsDeps) {
  const {
    admission,
    api,
    clock,
    keepWhenBlocked,
    log,
    metrics,
    logRefusedRequest,
    report,
    webChat,
    servers,
  } = deps;
  const { limits } = api;
  const rate = { perSecond: limits.messagesPerSecond, burst: limits.messagesBurst };
  const clients = createClients({
    clock,
    log,
    metrics,
    bufferBytes: limits.websocketBufferBytes,
    limits: { most: limits.websocketClients, mostPerAddress: limits.websocketClientsPerAddress },
  });
  const bySocket = new WeakMap<WebSocket, ChatClient>();
  let isClosing = false;
  const handler = createMessageHandler(deps, clients, rate);
  const wss = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    // One message of a socket per event-loop iteration, so that other sockets get their share.
    allowSynchronousEvents: false,
    maxPayload: limits.messageBytes,
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_CHUNKS,
  });

  /** All sockets share these listeners, so that an idle one costs little. */
  const ofSocket = <A extends unknown[]>(listener: (this: WebSocket, ...args: A) => void) =>
    catchListenerErrors(listener, terminate, report);
  const listeners = {
    message: ofSocket(function (data: RawData, isBinary: boolean) {
      const client = bySocket.get(this);
      if (client) handler.message(client, data, isBinary);
    }),
    control: ofSocket(function () {
      const client = bySocket.get(this);
      if (client) handler.control(client);
    }),
    close: ofSocket(function () {
      const client = bySocket.get(this);
      if (client) clients.forget(client);
    }),
    // ws has already closed it with the right code.
    error: ofSocket((error: Error) => log.debug({ reason: error.message }, "Chat socket error")),
  };

  function accept(ws: WebSocket, req: IncomingMessage, raw: Duplex): void {
    const readResult = readSession(req, api.sessionCookie.name);
    const session = "value" in readResult ? readResult.value : undefined;
    const bucket = { tokens: rate.burst, at: clock.monotonic() };
    const id = randomUUID();
    const client = {
      id,
      ws,
      out: raw,
      address: admission.addressOf(req),
      session,
      server: requestedServer(req),
      bucket,
      hasFreePing: false,
      refusedAt: undefined,
      isOver: false,
      pending: undefined,
    };
    bySocket.set(ws, client);
    keepWhenBlocked(req.socket);
    clients.add(client);
    ws.on("message", listeners.message);
    ws.on("ping", listeners.control);
    ws.on("pong", listeners.control);
    ws.on("close", listeners.close);
    ws.on("error", listeners.error);
    clients.send(client, GREETING);
  }

  /** Rejects an upgrade, as the router would, and ends its connection. */
  function refuse(req: IncomingMessage, raw: Duplex, answer: ErrorAnswer, limit: object = {}): void {
    metrics.socketRefused(answer.code);
    if (answer.code === "host_not_allowed" || answer.code === "origin_not_allowed")
      logRefusedRequest(req, answer.code);
    else
      log.warn(
        { requestId: requestIdOf(req), reason: answer.code, origin: printable(req.headers.origin) },
        "Rejected a WebSocket upgrade",
      );
    sendAnswer(raw, answer, { ...limit, ...requestIdHeader(req) });
  }

  /** Why an upgrade that passed admission is rejected. */
  function refusalOf(req: IncomingMessage): ErrorAnswer | undefined {
    if (req.url?.split("?")[0] !== "/chat" || webChat.mode() === "off") return errorAnswer("not_found");
    const server = requestedServer(req);
    if (server !== undefined && servers.of(server) === undefined)
      return errorWith("unknown_server", { field: "server" });
    if (req.method !== "GET") return errorAnswer("method_not_allowed", allow({ get: true }));
    const isFull = isClosing || clients.isFull(admission.addressOf(req));
    return isFull ? admission.refusalAnswers.too_many_connections : undefined;
  }

  // An invalid handshake; ws would answer with a page.
  wss.on(
    "wsClientError",
    catchListenerErrors(
      (_error: Error, raw: Duplex, req: IncomingMessage) => refuse(req, raw, errorAnswer("upgrade_required")),
      (_error, raw) => raw.destroy(),
      report,
    ),
  );
  /** the remaining requests of the address, for the answer to an upgrade */
  const rateHeaders = new WeakMap<IncomingMessage, Record<string, string>>();
  wss.on("headers", (headers, req) => {
    const all = { ...requestIdHeader(req), ...rateHeaders.get(req) };
    for (const [name, value] of Object.entries(all)) headers.push(`${name}: ${value}`);
  });
  const stopHeartbeat = clock.every(api.heartbeatInterval, () => clients.sendAll([{ frame: PING }]));

  return {
    count: clients.count,
    /** Handles an upgrade to a WebSocket; `isPast`: its connection is over the limit. */
    onUpgrade(req: IncomingMessage, raw: Duplex, head: Buffer, isPast: boolean): void {
      raw.on("error", ignore);
      const out = admission.blockedAnswer(req);
      if (out) {
        sendAnswer(raw, out, requestIdHeader(req));
        return;
      }
      if (isPast) {
        refuse(req, raw, admission.refusalAnswers.too_many_connections);
        return;
      }
      admission.count(req, admission.admit(req), (refused, limit) => {
        const refusal = refused ? admission.refusalAnswers[refused] : refusalOf(req);
        if (refusal) return refuse(req, raw, refusal, limit);
        rateHeaders.set(req, limit);
        // The greeting is sent together with the handshake.
        raw.cork();
        wss.handleUpgrade(req, raw, head, ws => {
          raw.off("error", ignore);
          accept(ws, req, raw);
        });
        raw.uncork();
      });
    },
    /** Closes every socket when the chat is turned off. */
    onWebChat({ mode }: Pick<WebChatRules, "mode">): void {
      if (mode === "off") void clients.closeAll("the chat is off");
    },
    /** Sends chat messages to all sockets except their own. */
    onEvents(entries: readonly Pick<FeedEntry, "event" | "except">[]): void {
      const frames: AddressedFrame[] = [];
      for (const { event, except } of entries) {
        if (event.event !== "chat") continue;
        metrics.chatToWeb();
        const server = serverOf(event, servers.first.name);
        frames.push({ frame: messageFrame("CHAT", event.content), except, server });
      }
      if (frames.length > 0) clients.sendAll(frames);
    },
    /** Closes every connection with 1001 and resolves when they have closed; after `withinMs` milliseconds they are destroyed. */
    close(withinMs: number): Promise<void> {
      isClosing = true;
      stopHeartbeat();
      return clients.closeAll("the service is going away", withinMs);
    },
  };
}

const ignore = (): void => undefined;

function terminate(this: WebSocket): void {
  this.terminate();
}

/** The game server in the query; undefined: all of them. Two names result in a blank one, which no game server has. */
function requestedServer({ url = "" }: IncomingMessage): string | undefined {
  const [name, ...more] = queryOf(url).getAll("server");
  return more.length > 0 ? "" : name;
}

import { randomUUID } from "node:crypto";
import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type RawData, WebSocket, WebSocketServer } from "ws";
import type { Exception } from "../../client/types.ts";
import type { ChatAnswer } from "../app/chat.ts";
import type { BusEvent } from "../ports.ts";
import { addressKey, clientAddress, type Trust } from "./client.ts";
import { contained } from "./contained.ts";
import { ERRORS, type ErrorCode } from "./errors.ts";
import { messageFrame, readMessage } from "./frames.ts";
import type { OriginCheck } from "./origin.ts";
import { type Bucket, createRateLimiter, perMinute, type RateLimiter, takeToken } from "./rate-limit.ts";
import type { PublicDeps } from "./routes/deps.ts";
import { sessionOf } from "./session.ts";
import { createThrottledWarn, printable } from "./throttled-log.ts";
import { servePlainly, wantsWebSocket } from "./upgrade.ts";

const GREETING = messageFrame("VERIFICATION", "Connection successful.");
const PING = messageFrame("PING", "heartbeat ping");
const PONG = messageFrame("PONG", "heartbeat pong");
const EXCEPTIONS = {
  "bad message": messageFrame("EXCEPTION", "bad message"),
  "rate limited": messageFrame("EXCEPTION", "rate limited"),
  "server unavailable": messageFrame("EXCEPTION", "server unavailable"),
} satisfies Record<Exception, Buffer>;

const GOING_AWAY = 1001;
/** How long a client has to answer the closing of the server, in milliseconds. */
const CLOSE_TIMEOUT_MS = 2_000;

/** Fragments, and pieces of one, that an unfinished message may come in: each is held with some bytes of its own. */
const MAX_PIECES = 1_024;

interface Client {
  id: string;
  ws: WebSocket;
  /** the connection below, written to directly: each frame is made once for all clients */
  raw: Duplex;
  /** browser session of the cookie */
  session: string | undefined;
  bucket: Bucket;
  /** what the limits of its address are counted by */
  address: string;
}

export interface Sockets {
  /** open connections */
  count(): number;
  /** Sends a line to all but the socket named. */
  onBus(event: BusEvent): void;
  /** Closes every connection with 1001 and resolves when they are gone, after two seconds at most. */
  close(): Promise<void>;
}

interface SocketDeps extends PublicDeps {
  trust: Trust;
  checkOrigin: OriginCheck;
  addresses: RateLimiter;
  /** told of what a listener has thrown */
  report: (error: unknown) => void;
}

/** Serves `/chat` on the upgrade requests of a server. */
export function attachSockets(server: Server, deps: SocketDeps): Sockets {
  const { api, chat, clock, metrics, log, report } = deps;
  const { limits } = api;
  const rate = { perSecond: limits.messagesPerSecond, burst: limits.messagesBurst };
  const wss = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.messageBytes,
    maxFragments: MAX_PIECES,
    maxBufferedChunks: MAX_PIECES,
  });
  const warn = createThrottledWarn(log, clock);
  const clients = new Map<WebSocket, Client>();
  const perAddress = new Map<string, number>();
  const chatOfAddress = createRateLimiter(perMinute(limits.messagesPerMinutePerAddress));
  let closing = false;

  function deliver(client: Client, frame: Buffer): void {
    const { ws, raw } = client;
    if (ws.readyState !== WebSocket.OPEN || !raw.writable) return;
    if (raw.writableLength + frame.length > limits.websocketBufferBytes) {
      metrics.slowReader();
      log.info({ unsentBytes: raw.writableLength }, "closed a chat socket that does not read");
      ws.terminate();
      return;
    }
    raw.write(frame);
  }

  function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
    const client = clients.get(this);
    if (!client) return;
    const allowed = takeToken(client.bucket, rate, clock.now());
    const message = allowed && !isBinary ? readMessage(data.toString(), limits.messageLength) : undefined;
    if (!allowed) answer(client, "rate limited");
    else if (!message) answer(client, "bad message");
    else if (message.type === "PING") deliver(client, PONG);
    else if (message.type === "PONG") return;
    else if (!chatOfAddress.take(client.address, clock.now())) answer(client, "rate limited");
    else relay(client, message.content);
  }

  function answer(client: Client, what: ChatAnswer | Exception): void {
    metrics.chatFromWeb(what);
    if (what !== "sent") deliver(client, EXCEPTIONS[what]);
  }

  function relay(client: Client, content: string): void {
    chat.fromWeb(client.id, client.session, content).then(
      what => answer(client, what),
      (error: unknown) => {
        log.error({ requestId: randomUUID(), error }, "a chat line ended with an unexpected result");
        answer(client, "server unavailable");
      },
    );
  }

  function onClose(this: WebSocket): void {
    forget(this);
  }

  function forget(ws: WebSocket): void {
    const address = clients.get(ws)?.address;
    if (!clients.delete(ws) || address === undefined) return;
    const left = (perAddress.get(address) ?? 0) - 1;
    if (left > 0) perAddress.set(address, left);
    else perAddress.delete(address);
  }

  /** A fault of one connection: ws closes it with the code that fits, nothing is left to do. */
  function onError(this: WebSocket, error: Error): void {
    log.debug({ reason: error.message }, "a chat socket failed");
  }

  const ofSocket = <A extends unknown[]>(listener: (this: WebSocket, ...args: A) => void) =>
    contained(listener, terminate, report);
  const listeners = {
    message: ofSocket(onMessage),
    close: ofSocket(onClose),
    error: ofSocket(onError),
  };

  function welcome(ws: WebSocket, req: IncomingMessage, raw: Duplex, address: string): void {
    const client: Client = {
      id: randomUUID(),
      ws,
      raw,
      address,
      session: sessionOf(req, api.sessionCookie.name),
      bucket: { tokens: rate.burst, at: clock.now() },
    };
    clients.set(ws, client);
    perAddress.set(address, (perAddress.get(address) ?? 0) + 1);
    ws.on("message", listeners.message);
    ws.on("close", listeners.close);
    ws.on("error", listeners.error);
    deliver(client, GREETING);
  }

  function whyNot(req: IncomingMessage, address: string): ErrorCode | undefined {
    if (!deps.addresses.take(address, clock.now())) return "rate_limited";
    if (deps.checkOrigin(req) === "refused") return "origin_not_allowed";
    if (req.url?.split("?")[0] !== "/chat") return "not_found";
    if (req.method !== "GET") return "method_not_allowed";
    const full =
      clients.size >= limits.websocketClients ||
      (perAddress.get(address) ?? 0) >= limits.websocketClientsPerAddress;
    return closing || full ? "too_many_connections" : undefined;
  }

  function turnAway(req: IncomingMessage, raw: Duplex, code: ErrorCode): void {
    metrics.socketRefused(code);
    warn({ reason: code, origin: printable(req.headers.origin) }, "refused a WebSocket upgrade");
    refuse(raw, code, deps.addresses.retryAfterSeconds);
  }

  function onUpgrade(req: IncomingMessage, raw: Duplex, head: Buffer): void {
    const from = clientAddress(req, deps.trust);
    // Reset meanwhile: nobody is there to be answered or counted.
    if (from === undefined) raw.destroy();
    else if (wantsWebSocket(req)) shakeHands(req, raw, head, addressKey(from));
    else servePlainly(server, req, raw, head);
  }

  function shakeHands(req: IncomingMessage, raw: Duplex, head: Buffer, address: string): void {
    raw.on("error", ignore);
    const code = whyNot(req, address);
    if (code !== undefined) turnAway(req, raw, code);
    else
      wss.handleUpgrade(req, raw, head, ws => {
        raw.off("error", ignore);
        welcome(ws, req, raw, address);
      });
  }

  server.on(
    "upgrade",
    contained(onUpgrade, (_req, raw) => raw.destroy(), report),
  );
  // What asks for a WebSocket and breaks its protocol; ws would answer with a page.
  wss.on(
    "wsClientError",
    contained(
      (_error: Error, raw: Duplex, req: IncomingMessage) => turnAway(req, raw, "upgrade_required"),
      (_error, raw) => raw.destroy(),
      report,
    ),
  );

  const stopHeartbeat = clock.every(api.heartbeatInterval, () => {
    for (const [ws, client] of clients) {
      if (ws.readyState === WebSocket.CLOSED) forget(ws);
      else deliver(client, PING);
    }
  });

  return {
    count: () => clients.size,
    onBus(event) {
      if (event.kind !== "chat") return;
      metrics.chatToWeb();
      const frame = messageFrame("CHAT", event.content);
      for (const client of clients.values()) if (client.id !== event.except) deliver(client, frame);
    },
    close() {
      closing = true;
      stopHeartbeat();
      const open = [...clients.keys()];
      for (const ws of open) ws.close(GOING_AWAY, "the service is going away");
      const gone = open.map(ws => new Promise(resolve => ws.once("close", resolve)));
      return new Promise(resolve => {
        const cancel = clock.after(CLOSE_TIMEOUT_MS, () => {
          for (const ws of clients.keys()) ws.terminate();
          resolve();
        });
        void Promise.all(gone).then(() => {
          cancel();
          resolve();
        });
      });
    },
  };
}

const ignore = (): void => undefined;

function terminate(this: WebSocket): void {
  this.terminate();
}

/** Answers an upgrade that is refused, as the router would. */
function refuse(raw: Duplex, code: ErrorCode, retryAfter: number): void {
  const body = JSON.stringify({ error: code });
  const status = ERRORS[code];
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    ...(status === 426
      ? ["Connection: upgrade, close", "Upgrade: websocket", "Sec-WebSocket-Version: 13"]
      : ["Connection: close"]),
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    "Vary: Origin",
    ...(status === 405 ? ["Allow: GET, HEAD, OPTIONS"] : []),
    ...(status === 429 || status === 503 ? [`Retry-After: ${retryAfter}`] : []),
  ];
  // Otherwise a client that does not close its side would keep the connection for ever.
  raw.once("finish", () => raw.destroy());
  raw.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
}

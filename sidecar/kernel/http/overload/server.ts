import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Duplex } from "node:stream";
import { allow, KEEP_ALIVE_MS, sendAnswer } from "../answer.ts";
import { APP_OPTIONS, catchListenerErrors } from "../app-listener.ts";
import { errorAnswer } from "../errors.ts";

/** Time limits of clients, in milliseconds. */
export const CLIENT_TIMEOUTS = {
  /** for a whole request */
  requestTimeout: 30_000,
  /** for its headers: 15 s at most, including the interval of the checks */
  headersTimeout: 10_000,
  /** between two checks for slow clients */
  connectionsCheckingInterval: 5_000,
  /** between two requests */
  keepAliveTimeout: KEEP_ALIVE_MS,
  /** to read more of a response */
  answerTimeout: 60_000,
};
export type ClientTimeouts = typeof CLIENT_TIMEOUTS;

/** Statuses for malformed HTTP, by the code of Node's error; otherwise 400. */
const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

interface HttpServerDeps {
  timeouts: ClientTimeouts;
  handle: RequestListener;
  /** called with an error that has closed a connection */
  report(error: unknown): void;
  /** which upgrade requests are handed out; Node before 22.21 and 24.9 hands all of them out */
  isUpgrade?(req: IncomingMessage): boolean;
  /** whether a connection has a pending response */
  isAnswering?(socket: Duplex): boolean;
  /** called for a connection that breaks HTTP or was reset, and for a `CONNECT`, but not for a timeout */
  onBroken?(socket: Duplex, isReset: boolean): void;
}

/** A server, not listening yet, that is no proxy (`CONNECT`), and keeps running when it cannot accept a connection. */
export function createHttpServer(deps: HttpServerDeps): Server {
  const { timeouts, handle, report, isUpgrade, isAnswering = () => false, onBroken } = deps;
  const { answerTimeout, ...times } = timeouts;
  const listener = catchListenerErrors(
    handle,
    (req: IncomingMessage, _res: ServerResponse) => req.socket.destroy(),
    report,
  );
  // The types of Node 22 do not have the callback yet.
  const options = { ...times, ...APP_OPTIONS, shouldUpgradeCallback: isUpgrade };
  const server = createServer(options, listener);
  server.timeout = answerTimeout;
  // Node would respond before all limits. RFC 9110 lets a server ignore an unknown expectation.
  server.on("checkExpectation", listener);
  server.on("checkContinue", (req, res) => {
    // After a request without a response, Node would write it into that response, after its headers.
    if (res.socket) res.writeContinue();
    else endConnectionAfter(res);
    listener(req, res);
  });
  // For example without descriptors. Errors before it listens are those of `listen`.
  server.on("error", error => {
    if (server.listening) report(error);
  });
  server.on(
    "clientError",
    catchListenerErrors(
      ({ code = "" }: NodeJS.ErrnoException, socket: Duplex) => {
        const isLate = code === "ERR_HTTP_REQUEST_TIMEOUT";
        const isReset = code === "ECONNRESET" || code === "EPIPE";
        if (!isLate) onBroken?.(socket, isReset);
        if (!socket.writable || isReset || isAnswering(socket)) return void socket.destroy();
        const status = STATUSES[code] ?? 400;
        socket.once("finish", () => socket.destroy());
        socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
      },
      (_error, socket) => socket.destroy(),
      report,
    ),
  );
  server.on(
    "connect",
    catchListenerErrors(
      (req: IncomingMessage, raw: Duplex) => {
        raw.on("error", () => raw.destroy());
        onBroken?.(req.socket, false);
        // It must not overtake an earlier response.
        if (isAnswering(req.socket)) raw.destroy();
        else sendAnswer(raw, errorAnswer("method_not_allowed", allow({ get: true, post: true })));
      },
      (_req, raw) => raw.destroy(),
      report,
    ),
  );
  return server;
}

/** Closes a connection with its response, unless that has begun. */
export function endConnectionAfter(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader("Connection", "close");
}

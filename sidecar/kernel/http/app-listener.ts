import { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import express, { type Express, type Request, type Response } from "express";

/**
 * Wraps a listener so that its errors stay within one connection: when it throws, `end` gets its arguments and closes the
 * connection, and `report` gets the error.
 */
export function catchListenerErrors<T, A extends unknown[]>(
  listener: (this: T, ...args: A) => void,
  end: (this: T, ...args: A) => unknown,
  report: (error: unknown) => void,
): (this: T, ...args: A) => void {
  return function (...args) {
    try {
      listener.apply(this, args);
    } catch (error) {
      end.apply(this, args);
      report(error);
    }
  };
}

// Express changes the prototypes of each request and response, for which V8 throws away compiled code each time. These have the
// prototypes from the start, and all listeners share them: with two kinds V8 makes slower code for both.
class AppRequest extends IncomingMessage {
  /** Express would answer any `If-None-Match: *` with 304. Answers with a tag compare it themselves. */
  get fresh(): boolean {
    return false;
  }
}
class AppResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
Object.setPrototypeOf(AppRequest.prototype, express.request);
Object.setPrototypeOf(AppResponse.prototype, express.response);

/** Options of a server that answers with `createAppListener`. */
export const APP_OPTIONS = { IncomingMessage: AppRequest, ServerResponse: AppResponse };

/** The path and query of a request's target, which may be a complete URL (RFC 9112, section 3.2.2); undefined if it is invalid. */
function pathOf(target: string): string | undefined {
  if (/^\/[^#\s]*$/.test(target)) return target;
  const url = URL.parse(target, "http://localhost");
  return url === null ? undefined : url.pathname + url.search;
}

/**
 * Answers a request with an Express application, which gets plain paths only: others it would read with `url.parse`, which is
 * deprecated, and answer with its own page. A request whose target cannot be read is one for `/`, with `isUnreadable`.
 */
export function createAppListener(app: Express) {
  const unreadable = new WeakSet<IncomingMessage>();
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return {
    handle(req: IncomingMessage, res: ServerResponse): void {
      Object.assign(req, { app });
      Object.assign(res, { app });
      const path = pathOf(req.url ?? "/");
      if (path === undefined) unreadable.add(req);
      req.url = path ?? "/";
      app(req as Request, res as Response);
    },
    isUnreadable: (req: IncomingMessage) => unreadable.has(req),
  };
}

const OF_UPGRADE = /^(upgrade|http2-settings)$/i;

/** Whether a request is for a WebSocket, and not for another protocol such as `h2c`. */
export const wantsWebSocket = (req: IncomingMessage): boolean =>
  req.headers.upgrade?.trim().toLowerCase() === "websocket";

/** Whether a request that offers another protocol has a body: Node 26 reads that as HTTP, before it hands the connection out. */
export const offersWithBody = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade !== undefined &&
  (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0);

/**
 * Answers a request that offers another protocol as a plain one (RFC 9110, section 7.8): some HTTP clients, such as Java's, make
 * that offer with each first request. `serve` gets the connection with the request's bytes, without the offer; `head` follows the
 * headers.
 */
export function servePlainly(
  serve: (raw: Duplex) => void,
  req: IncomingMessage,
  raw: Duplex,
  head: Buffer,
): void {
  const lines = [`${req.method} ${req.url} HTTP/${req.httpVersion}`];
  for (let i = 0; i + 1 < req.rawHeaders.length; i += 2) {
    const [name = "", value = ""] = req.rawHeaders.slice(i, i + 2);
    if (OF_UPGRADE.test(name)) continue;
    lines.push(`${name}: ${name.toLowerCase() === "connection" ? withoutOffer(value) : value}`);
  }
  raw.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  serve(raw);
}

function withoutOffer(connection: string): string {
  const options = connection.split(",").map(option => option.trim());
  return options.filter(option => !OF_UPGRADE.test(option)).join(", ");
}

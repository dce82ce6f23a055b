import { IncomingMessage, ServerResponse } from "node:http";
import express, { type Express, type Request, type Response } from "express";

// Express gives each request and response its own prototypes. To V8 each of them then is of a kind that it has never seen: it
// throws away what it has compiled of Node's code, with every one of them. These have the prototypes from the start, and all
// listeners share them: of two kinds V8 makes slower code for both.
class AppRequest extends IncomingMessage {
  /** Express would answer any `If-None-Match: *` with 304. What has a tag looks itself whether it is known. */
  get fresh(): boolean {
    return false;
  }
}
class AppResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
Object.setPrototypeOf(AppRequest.prototype, express.request);
Object.setPrototypeOf(AppResponse.prototype, express.response);

/** Of a server that answers with `createAppListener`. */
export const APP_OPTIONS = { IncomingMessage: AppRequest, ServerResponse: AppResponse };

/** The path and query of a request's target, which may be a whole URL (RFC 9112, section 3.2.2); undefined where it is none. */
function pathOf(target: string): string | undefined {
  if (/^\/[^#\s]*$/.test(target)) return target;
  const url = URL.parse(target, "http://localhost");
  return url === null ? undefined : url.pathname + url.search;
}

/**
 * Answers a request with an Express application. What is no plain path, Express reads with `url.parse`, of which Node 24
 * warns, and where that fails it answers with a page of its own, ahead of all its handlers. So it gets plain paths alone: a
 * request whose target cannot be read is one for `/`, of which `isUnreadable` tells.
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
      // Express makes the one out of the other.
      app(req as Request, res as Response);
    },
    isUnreadable: (req: IncomingMessage) => unreadable.has(req),
  };
}

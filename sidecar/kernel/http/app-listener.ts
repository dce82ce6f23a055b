import { IncomingMessage, ServerResponse } from "node:http";
import express, { type Express, type Request, type Response } from "express";

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

/** The path and query of a request's target, which may be a whole URL (RFC 9112, section 3.2.2); undefined where it is none. */
function pathOf(target: string): string | undefined {
  if (/^\/[^#\s]*$/.test(target)) return target;
  const url = URL.parse(target, "http://localhost");
  return url === null ? undefined : url.pathname + url.search;
}

/**
 * Answers a request with an Express application, which gets plain paths only: others it would read with `url.parse`, which is
 * deprecated, and answer with a page of its own. A request whose target cannot be read is one for `/`, with `isUnreadable`.
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

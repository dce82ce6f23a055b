import { IncomingMessage, ServerResponse } from "node:http";
import express, { type Express, type Request, type Response } from "express";
import { createPieceCount } from "./pieces.ts";

/** The parts of a request by which Node lets a body go that nobody wants; Node does not describe them. */
interface LettingGo {
  _dump?(): void;
  _dumped?: boolean;
}
const lettingGo = IncomingMessage.prototype as IncomingMessage & LettingGo;

const pieces = createPieceCount();
/** requests of which the rest of the body is thrown away */
const letGo = new WeakSet<IncomingMessage>();

// Express gives each request and response its own prototypes. To V8 each of them then is of a kind that it has never seen: it
// throws away what it has compiled of Node's code, with every one of them. These have the prototypes from the start, and all
// listeners share them: of two kinds V8 makes slower code for both.
class AppRequest extends IncomingMessage implements LettingGo {
  declare _dumped?: boolean;

  /** Is told of a body piece by piece. */
  override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
    if (piece === null) return super.push(piece);
    if (!pieces.take(this.socket) || letGo.has(this)) return true;
    return super.push(piece, encoding);
  }

  /** Node would go on to take such a body apart without a word. */
  _dump(): void {
    lettingGo._dump?.call(this);
    if (this.complete) return;
    letGo.add(this);
    this._dumped = false;
  }

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

/**
 * Answers a request with an Express application. Express would answer a request whose path it cannot read, such as
 * `http://[/x`, with a page of its own, ahead of all its handlers. Such a request is asked again as one for `/`, of which
 * `isUnreadable` tells.
 */
export function createAppListener(app: Express) {
  const unreadable = new WeakSet<IncomingMessage>();
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return {
    handle(req: IncomingMessage, res: ServerResponse): void {
      Object.assign(req, { app });
      Object.assign(res, { app });
      // Express makes the one out of the other.
      app(req as Request, res as Response, () => {
        unreadable.add(req);
        req.url = "/";
        if (res.headersSent) res.destroy();
        else app(req, res);
      });
    },
    isUnreadable: (req: IncomingMessage) => unreadable.has(req),
  };
}

import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";
import type { Express, Request, Response } from "express";
import { errorAnswer, writeError } from "./errors.ts";
import { allow } from "./headers.ts";

/**
 * A listener of a server or a socket whose faults stay within one connection: when it throws, `end`
 * ends the connection that it is about, `report` is told, and the process lives on. `end` is called as the listener was.
 */
export function contained<T, A extends unknown[]>(
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

/** Counts the answers that are under way on each connection. */
export function createAnswerCount() {
  const open = new WeakMap<Duplex, number>();
  const add = (socket: Duplex, more: number): unknown => open.set(socket, (open.get(socket) ?? 0) + more);
  return {
    begin({ socket }: IncomingMessage, res: ServerResponse): void {
      add(socket, 1);
      res.once("close", () => add(socket, -1));
    },
    isAnswering: (socket: Duplex) => (open.get(socket) ?? 0) > 0,
  };
}

/**
 * Answers a request with an Express application. Express would answer a request whose path it cannot read, such as
 * `http://[/x`, with a page of its own, ahead of all its handlers. Such a request is asked again as one for `/`, of which
 * `isUnreadable` tells.
 */
export function createAppListener(app: Express) {
  const unreadable = new WeakSet<IncomingMessage>();
  return {
    handle(req: IncomingMessage, res: ServerResponse): void {
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

/**
 * A server, not listening yet, that answers with `handle`, and is no proxy (`CONNECT`); it lives on when it cannot take a
 * connection.
 */
export function createContainedServer(
  options: ServerOptions,
  handle: RequestListener,
  report: (error: unknown) => void,
): Server {
  const listener = contained(handle, req => req.socket.destroy(), report);
  const server = createServer(options, listener);
  // Node would answer it ahead of all limits. RFC 9110 lets a server pass over an expectation that it does not know.
  server.on("checkExpectation", listener);
  server.on("checkContinue", (req, res) => {
    // Behind a request without an answer Node would write it into the answer to this one, after its headers.
    if (res.socket) res.writeContinue();
    listener(req, res);
  });
  // For example for lack of descriptors.
  server.on("error", report);
  server.on(
    "connect",
    contained(
      (_req: IncomingMessage, raw: Duplex) => {
        raw.on("error", () => raw.destroy());
        writeError(raw, errorAnswer("method_not_allowed", allow({ get: true, post: true })));
      },
      (_req, raw) => raw.destroy(),
      report,
    ),
  );
  return server;
}

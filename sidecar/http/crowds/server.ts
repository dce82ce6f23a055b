import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";
import { sendAnswer } from "../answer.ts";
import { APP_OPTIONS } from "../app-listener.ts";
import { contained } from "../contained.ts";
import { errorAnswer } from "../errors.ts";
import { allow, KEEP_ALIVE_MS } from "../headers.ts";
import { endBehind, takeNoMore } from "../node-internals.ts";
import { createAnswerCount } from "./under-way.ts";

/** How long clients may take, in milliseconds. */
export const PATIENCE = {
  /** for a whole request */
  requestTimeout: 30_000,
  /** for its headers, which makes 15 s at most with what it takes to be noticed */
  headersTimeout: 10_000,
  /** to take a whole answer, once it is complete */
  answerTimeout: 60_000,
  /** between two looks for clients that take too long */
  connectionsCheckingInterval: 5_000,
  /** idle between two requests, which makes 70 s at most with what it takes to be noticed */
  idleTimeout: KEEP_ALIVE_MS,
};
export type Patience = typeof PATIENCE;

export interface ContainedServer {
  server: Server;
  /**
   * To be called with a connection that speaks another protocol from now on: whether a request of it is not answered, or its
   * answer not taken
   */
  leave(raw: Duplex): boolean;
  /** the answers of all its connections that are not taken */
  underWay(): ServerResponse[];
}

/** How those are dealt with who ask for more than they take. The answer has to be the last one of its connection. */
interface Crowd {
  /** whom the answer to a request counts for */
  addressOf(req: IncomingMessage): string;
  /** answers a client that sends too many requests ahead, or does not read its answers */
  refuse: RequestListener;
  /** which offers of another protocol are handed out as an upgrade; Node before 22.21 and 24.9 hands all of them out */
  isUpgrade?(req: IncomingMessage): boolean;
}

const cutOff: RequestListener = req => req.socket.destroy();

/**
 * A server, not listening yet, that answers with `handle`, and is no proxy (`CONNECT`); it lives on when it cannot take a
 * connection.
 */
export function createContainedServer(
  patience: Patience,
  handle: RequestListener,
  report: (error: unknown) => void,
  crowd: Crowd = { addressOf: () => "", refuse: cutOff },
): ContainedServer {
  const { begin, leave, look, underWay } = createAnswerCount(crowd.addressOf, report);
  const answer: RequestListener = (req, res) => {
    if (!begin(req, res)) return handle(req, res);
    takeNoMore(req);
    crowd.refuse(req, res);
  };
  const listener = contained(answer, req => req.socket.destroy(), report);
  const options = {
    ...patience,
    ...APP_OPTIONS,
    shouldUpgradeCallback: crowd.isUpgrade,
    keepAliveTimeout: 0,
  };
  const server = createServer(options, listener);
  const { answerTimeout, idleTimeout, connectionsCheckingInterval: lookMs } = patience;
  const looking = setInterval(look, lookMs, answerTimeout / lookMs, idleTimeout / lookMs).unref();
  server.on("close", () => clearInterval(looking));
  // Node would answer it ahead of all limits. RFC 9110 lets a server pass over an expectation that it does not know.
  server.on("checkExpectation", listener);
  server.on("checkContinue", (req, res) => {
    // Behind a request without an answer Node would write it into the answer to this one, after its headers. It then lets the
    // connection end with that, as what the client goes on with could be taken for a request.
    if (res.socket) res.writeContinue();
    else endBehind(res);
    listener(req, res);
  });
  // For example for lack of descriptors. Whoever let it listen is told why it cannot, and has to say so.
  server.on("error", error => {
    if (server.listening) report(error);
  });
  server.on(
    "connect",
    contained(
      (req: IncomingMessage, raw: Duplex) => {
        raw.on("error", () => raw.destroy());
        // It may not overtake an earlier answer.
        if (leave(req.socket)) raw.destroy();
        else sendAnswer(raw, errorAnswer("method_not_allowed", allow({ get: true, post: true })));
      },
      (_req, raw) => raw.destroy(),
      report,
    ),
  );
  return { server, leave, underWay };
}

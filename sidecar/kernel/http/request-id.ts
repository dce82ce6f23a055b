import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Trust } from "./client-address.ts";

/** An accepted id from a proxy: short, and harmless in a header and a log line. */
export const REQUEST_ID = "^[\\w.:=+/-]{1,128}$";
const TAKEN_OVER = new RegExp(REQUEST_ID);

/** Where a request has its id: cheaper than an entry in a `WeakMap` for each request. */
const ID = Symbol("request id");
type WithId = IncomingMessage & { [ID]?: string };

/** Gives a request its id: the `X-Request-Id` that a trusted proxy sent, else a new one. */
export function assignRequestId(req: IncomingMessage, trust: Trust): void {
  const sent = req.headers["x-request-id"];
  const isTakenOver =
    typeof sent === "string" && TAKEN_OVER.test(sent) && trust(req.socket.remoteAddress ?? "", 0);
  (req as WithId)[ID] = isTakenOver ? sent : randomUUID();
}

/** The id of a request of the public listener; undefined for others. */
export const requestIdOf = (req: IncomingMessage): string | undefined => (req as WithId)[ID];

/** The header that every answer to a request has. */
export function requestIdHeader(req: IncomingMessage): { "X-Request-Id"?: string } {
  const id = requestIdOf(req);
  return id === undefined ? {} : { "X-Request-Id": id };
}

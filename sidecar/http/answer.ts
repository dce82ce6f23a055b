import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Response } from "express";
import { COMMON_HEADERS, KEEP_ALIVE_MS } from "./headers.ts";
import { staysOpen } from "./node-internals.ts";

/** What a request is answered with. */
export interface Answer {
  status: number;
  /** besides those of every answer, some of which they may replace */
  headers: OutgoingHttpHeaders;
  /** with its length told; undefined where none can be, or where it goes on until its connection ends */
  body?: string | Buffer;
  /** what is sent on a connection that stays open, put together once for an answer that is sent many times */
  kept?: { headers: OutgoingHttpHeader[]; body: string | Buffer };
}

/** Bytes of a body up to which Node is quicker at a text, which it writes together with the headers, than at bytes. */
const MOST_TOGETHER = 1_024;

/** An answer that is sent many times. */
export function sentOften<A extends Answer & { body: Buffer }>(answer: A): A {
  const headers = Object.entries({ ...headersOf(answer), ...KEPT }).flatMap(([name, value]) => [
    name,
    value ?? "",
  ]);
  // A character for each byte, whatever they stand for.
  const body = answer.body.length <= MOST_TOGETHER ? answer.body.toString("latin1") : answer.body;
  return { ...answer, kept: { headers, body } };
}

/** JSON as an answer. */
export const json = (value: unknown, status = 200, headers: OutgoingHttpHeaders = {}): Answer => ({
  status,
  headers: { "Content-Type": "application/json; charset=utf-8", ...headers },
  body: JSON.stringify(value),
});

/** Answers what the call of a route is described to answer. */
export const sendJson = <B>(
  res: Response<B>,
  value: NoInfer<B>,
  status?: number,
  headers?: OutgoingHttpHeaders,
): void => sendAnswer(res, json(value, status, headers));

/**
 * Writes an answer: the one way out. It goes to a response, also one of Express, or where there is only a connection left, to
 * that, which ends with it. `more`: headers of this one time.
 */
export function sendAnswer(to: ServerResponse | Duplex, answer: Answer, more?: OutgoingHttpHeaders): void {
  const { status, body, kept } = answer;
  const isResponse = to instanceof ServerResponse;
  if (isResponse && kept !== undefined && more === undefined && staysOpen(to)) {
    to.writeHead(status, kept.headers).end(kept.body, "latin1");
    return;
  }
  const all = headersOf(answer, more);
  if (isResponse) {
    Object.assign(all, ofConnection(to, all.Connection));
    // Node leaves out the body where a HEAD is answered.
    to.writeHead(status, all).end(body);
    return;
  }
  // Otherwise a client that does not close its side would keep the connection for ever.
  to.once("finish", () => to.destroy());
  to.end(Buffer.concat([openAnswer({ status, headers: all }), Buffer.from(body ?? "")]));
}

/** The headers of an answer, but for what is said of its connection. */
function headersOf({ headers, body }: Answer, more?: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const all: OutgoingHttpHeaders = {};
  // Spread out into one, they would cost a third of a short answer.
  Object.assign(all, COMMON_HEADERS, headers, more);
  if (body !== undefined) all["Content-Length"] = Buffer.byteLength(body);
  return all;
}

/** The head of an answer that goes on until its connection ends. */
export function openAnswer({ status, headers }: Answer, more: OutgoingHttpHeaders = {}): Buffer {
  // biome-ignore lint/style/noRestrictedGlobals: Node writes the time of the machine into all other answers
  const all: OutgoingHttpHeaders = { Date: new Date().toUTCString(), ...COMMON_HEADERS, ...headers, ...more };
  const lines = Object.entries({ ...all, ...asLast(all.Connection) }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`, ...lines, "\r\n"].join("\r\n");
  return Buffer.from(head, "latin1");
}

type Asked = OutgoingHttpHeaders["Connection"];

/** What tells a client that a connection stays open for its next request: Node sends it only where it watches over that itself. */
const KEPT = { "Keep-Alive": `timeout=${KEEP_ALIVE_MS / 1000}` };

/** What is said of the connection: for how long it stays open, or what the answer asks of it, and whether it ends. */
function ofConnection(res: ServerResponse, asked: Asked): OutgoingHttpHeaders {
  if (staysOpen(res)) return asked === undefined ? KEPT : {};
  return asked === undefined ? {} : asLast(asked);
}

const asLast = (asked: Asked): OutgoingHttpHeaders => ({
  Connection: asked === undefined || asked === "close" ? "close" : `${asked}, close`,
});

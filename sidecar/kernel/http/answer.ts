import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { COMMON_HEADERS } from "./headers.ts";

export interface Answer {
  status: number;
  /** besides `COMMON_HEADERS`, which they may replace */
  headers: OutgoingHttpHeaders;
  /** sent with its length; undefined: there is none */
  body?: string | Buffer;
  /** headers and body made once, for an answer that is sent many times */
  kept?: { headers: OutgoingHttpHeader[]; body: string | Buffer };
}

/** Bytes of a body up to which Node is faster with a string, which it writes together with the headers, than with a buffer. */
const MOST_TOGETHER = 1_024;

/** Prepares an answer that is sent many times. */
export function sentOften<A extends Answer & { body: Buffer }>(answer: A): A {
  const headers = Object.entries(headersOf(answer)).flatMap(([name, value]) => [name, value ?? ""]);
  // A character for each byte, whatever they stand for.
  const body = answer.body.length <= MOST_TOGETHER ? answer.body.toString("latin1") : answer.body;
  return { ...answer, kept: { headers, body } };
}

/** An answer whose body is of type `B`. */
export interface JsonAnswer<S extends number, B> extends Answer {
  status: S;
  /** never set; carries the type */
  readonly value?: B;
}

/** JSON as an answer. */
export function json<const B>(value: B): JsonAnswer<200, B>;
export function json<const B, S extends number>(
  value: B,
  status: S,
  headers?: OutgoingHttpHeaders,
): JsonAnswer<S, B>;
export function json(value: unknown, status = 200, headers: OutgoingHttpHeaders = {}): Answer {
  const own = { "Content-Type": "application/json; charset=utf-8", ...headers };
  return { status, headers: own, body: JSON.stringify(value) };
}

export interface EmptyAnswer<S extends number> extends Answer {
  status: S;
  body: "";
}

export const empty = <S extends number>(status: S, headers: OutgoingHttpHeaders = {}): EmptyAnswer<S> => ({
  status,
  headers,
  body: "",
});

/**
 * Writes an answer, to a response or, where there is none, to a connection, which ends with it. Every answer is sent by this.
 * `more`: further headers.
 */
export function sendAnswer(to: ServerResponse | Duplex, answer: Answer, more?: OutgoingHttpHeaders): void {
  const { status, body, kept } = answer;
  const isResponse = to instanceof ServerResponse;
  if (isResponse && kept !== undefined && more === undefined) {
    to.writeHead(status, kept.headers).end(kept.body, "latin1");
    return;
  }
  const all = headersOf(answer, more);
  if (!isResponse || (all.Connection !== undefined && isLast(to))) Object.assign(all, asLast(all.Connection));
  if (isResponse) {
    // Node leaves out the body where a HEAD is answered.
    to.writeHead(status, all).end(body);
    return;
  }
  // Otherwise a client that does not close its side would keep the connection for ever.
  to.once("finish", () => to.destroy());
  to.end(Buffer.concat([headOf(status, all), Buffer.from(body ?? "")]));
}

export const sendJson = (
  to: ServerResponse,
  value: object,
  status = 200,
  headers?: OutgoingHttpHeaders,
): void => sendAnswer(to, json(value, status, headers));

/** Begins an answer that goes on until its connection ends. */
export const beginAnswer = (res: ServerResponse, answer: Answer): ServerResponse =>
  res.writeHead(answer.status, headersOf(answer));

/** The headers of an answer, without those of its connection. */
function headersOf({ headers, body }: Answer, more?: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const all: OutgoingHttpHeaders = {};
  // Spread out into one, they would cost a third of a short answer.
  Object.assign(all, COMMON_HEADERS, headers, more);
  if (body !== undefined) all["Content-Length"] = Buffer.byteLength(body);
  return all;
}

/** The head of an answer on a bare connection. */
function headOf(status: number, headers: OutgoingHttpHeaders): Buffer {
  // biome-ignore lint/style/noRestrictedGlobals: Node writes the time of the machine into all other answers
  const all: OutgoingHttpHeaders = { Date: new Date().toUTCString(), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`, ...lines, "\r\n"].join("\r\n");
  return Buffer.from(head, "latin1");
}

/** Whether the connection ends with an answer: as its client has asked, or as was set before. */
const isLast = (res: ServerResponse): boolean =>
  res.req.httpVersion !== "1.1" ||
  /\bclose\b/i.test(res.req.headers.connection ?? "") ||
  res.getHeader("Connection") === "close";

const asLast = (asked: OutgoingHttpHeaders["Connection"]): OutgoingHttpHeaders => ({
  Connection: asked === undefined || asked === "close" ? "close" : `${asked}, close`,
});

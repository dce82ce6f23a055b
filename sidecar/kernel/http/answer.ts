import { createHash } from "node:crypto";
import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Duplex } from "node:stream";
import { gzipSync } from "node:zlib";
import { requestIdHeader, requestIdOf } from "./request-id.ts";

/** Headers of every public answer. One that may be cached has its own `Cache-Control`. */
export const COMMON_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
  Vary: "Origin",
} as const;

/** How long a connection stays open for its next request: above the usual 60 s of proxies, so that the proxy closes it. */
export const KEEP_ALIVE_MS = 65_000;

export const retryAfter = (seconds: number): { "Retry-After": string } => ({
  "Retry-After": String(seconds),
});

/** The `Allow` header of a path with these handlers. */
export function allow(handled: { get?: unknown; post?: unknown; delete?: unknown }): { Allow: string } {
  const methods = [
    ...(handled.get ? ["GET", "HEAD"] : []),
    ...(handled.post ? ["POST"] : []),
    ...(handled.delete ? ["DELETE"] : []),
    "OPTIONS",
  ];
  return { Allow: methods.join(", ") };
}

export interface Answer {
  status: number;
  /** besides `COMMON_HEADERS`, which they may replace */
  headers: OutgoingHttpHeaders;
  /** sent with its length; undefined: there is none */
  body?: string | Buffer;
  /** prepared headers and body, for an answer that is sent many times */
  prepared?: { headers: OutgoingHttpHeader[]; body: string | Buffer };
}

/** Bytes of a body up to which Node is faster with a string, which it writes together with the headers, than with a buffer. */
const MAX_JOINED_BYTES = 1_024;

/** Prepares an answer that is sent many times. */
function sentOften<A extends Answer & { body: Buffer }>(answer: A): A {
  const headers = Object.entries(headersOf(answer)).flatMap(([name, value]) => [name, value ?? ""]);
  // A character for each byte, as Latin-1.
  const body = answer.body.length <= MAX_JOINED_BYTES ? answer.body.toString("latin1") : answer.body;
  return { ...answer, prepared: { headers, body } };
}

/** An answer whose body is of type `B`. */
export interface JsonAnswer<S extends number, B> extends Answer {
  status: S;
  /** never set; carries the type */
  readonly value?: B;
}

/** A JSON answer. */
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
 * Writes an answer to a response or, without one, to a connection, which ends with it. All answers are sent by this.
 * `more`: further headers.
 */
export function sendAnswer(to: ServerResponse | Duplex, answer: Answer, more?: OutgoingHttpHeaders): void {
  const { status, body, prepared } = answer;
  const isResponse = to instanceof ServerResponse;
  if (isResponse && prepared !== undefined && more === undefined) {
    const id = requestIdOf(to.req);
    to.writeHead(status, id === undefined ? prepared.headers : [...prepared.headers, "X-Request-Id", id]);
    to.end(prepared.body, "latin1");
    return;
  }
  const all = headersOf(answer, more);
  if (isResponse) Object.assign(all, requestIdHeader(to.req));
  if (!isResponse || (all.Connection !== undefined && isLast(to))) Object.assign(all, asLast(all.Connection));
  if (isResponse) {
    // Node omits the body of a response to HEAD.
    to.writeHead(status, all).end(body);
    return;
  }
  // Otherwise a client that does not close its side would keep the connection open forever.
  to.once("finish", () => to.destroy());
  to.end(Buffer.concat([headOf(status, all), Buffer.from(body ?? "")]));
}

export const sendJson = (
  to: ServerResponse,
  value: object,
  status = 200,
  headers?: OutgoingHttpHeaders,
): void => sendAnswer(to, json(value, status, headers));

/** Begins an answer that continues until its connection ends. */
export const beginAnswer = (res: ServerResponse, answer: Answer): ServerResponse =>
  res.writeHead(answer.status, headersOf(answer, requestIdHeader(res.req)));

/** The headers of an answer, without those of its connection. */
function headersOf({ headers, body }: Answer, more?: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const all: OutgoingHttpHeaders = {};
  // Merging the objects would take a third of the time of a short answer.
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

/** Whether the connection ends with an answer: on the client's request, or as was set before. */
const isLast = (res: ServerResponse): boolean =>
  res.req.httpVersion !== "1.1" ||
  /\bclose\b/i.test(res.req.headers.connection ?? "") ||
  res.getHeader("Connection") === "close";

const asLast = (requested: OutgoingHttpHeaders["Connection"]): OutgoingHttpHeaders => ({
  Connection: requested === undefined || requested === "close" ? "close" : `${requested}, close`,
});

/** An answer for caches: with an entity tag, or 304. */
export interface CachedAnswer<B> extends Answer {
  etag: string;
  /** never set; carries the type of the body */
  readonly value?: B;
}

/** One form of a response. */
interface Form<B = unknown> extends CachedAnswer<B> {
  body: Buffer;
}

/** A response that is made once and sent many times. */
export interface PreparedResponse<B = unknown> extends Form<B> {
  /** the compressed form, created when it is first requested; a short response has none */
  compressed?: () => Form<B>;
}

/** Bytes up to which compressing is not worth it: they fit into one packet. */
export const SHORT_BYTES = 1_024;

/** Prepares a response, with its entity tags. `own` headers have to hold its type and how it may be cached. */
export function prepareResponse<B>(body: Buffer, own: OutgoingHttpHeaders): PreparedResponse<B> {
  if (body.length <= SHORT_BYTES) return prepareWhole(body, own);
  const headers = { Vary: "Origin, Accept-Encoding", ...own };
  let compressed: Form<B> | undefined;
  return {
    ...prepareWhole(body, headers),
    // It holds no secrets, which the compressed length could reveal.
    compressed: () => {
      compressed ??= prepareWhole(gzipSync(body), { ...headers, "Content-Encoding": "gzip" });
      return compressed;
    },
  };
}

/** Prepares a response that is always sent uncompressed. */
export function prepareWhole<B>(body: Buffer, own: OutgoingHttpHeaders): Form<B> {
  const etag = `"${createHash("sha1").update(body).digest("base64url")}"`;
  return sentOften({ status: 200, headers: { ETag: etag, ...own }, body, etag });
}

/** Prepares JSON that caches may keep for `holdMs`, again whenever the value is another object. */
export function prepareChanging<B extends object>(holdMs: number): (value: B) => PreparedResponse<B> {
  let last: { value: B; response: PreparedResponse<B> } | undefined;
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": `public, max-age=${Math.floor(holdMs / 1000)}`,
  };
  return value => {
    if (last?.value !== value)
      last = { value, response: prepareResponse(Buffer.from(JSON.stringify(value)), headers) };
    return last.response;
  };
}

/** Words whose responses are cached. */
const MAX_CACHED_WORDS = 16;

/**
 * Prepares responses that depend on a value and a word of the request. They are cached for the first few words, since clients may
 * send any, while the value stays.
 */
export function prepareByWord<V>(
  makeFor: (value: V) => (word: string) => PreparedResponse,
): (value: V, word: string) => PreparedResponse {
  let last:
    | { value: V; make: (word: string) => PreparedResponse; made: Map<string, PreparedResponse> }
    | undefined;
  return (value, word) => {
    if (last === undefined || last.value !== value) last = { value, make: makeFor(value), made: new Map() };
    const { make, made } = last;
    const known = made.get(word);
    if (known !== undefined) return known;
    const response = make(word);
    if (made.size < MAX_CACHED_WORDS) made.set(word, response);
    return response;
  };
}

/** Characters of an `Accept-Encoding` that are read; browsers send some 30. */
const MAX_ACCEPT_LENGTH = 1_024;
const GZIP = /(?:^|,)\s*gzip\s*(?:;\s*q=([\d.]*)\s*)?(?:,|$)/i;

/** Whether an `Accept-Encoding` accepts gzip. */
export function takesGzip({ headers }: IncomingMessage): boolean {
  const accepted = headers["accept-encoding"];
  if (accepted === undefined || accepted.length > MAX_ACCEPT_LENGTH) return false;
  const [found, weight = "1"] = GZIP.exec(String(accepted)) ?? [];
  return found !== undefined && Number(weight) > 0;
}

/** The response in a form that the request accepts, or 304 if the client has it. */
export function preparedAnswer<B>(prepared: PreparedResponse<B>, req: IncomingMessage): CachedAnswer<B> {
  const form = prepared.compressed && takesGzip(req) ? prepared.compressed() : prepared;
  const known = req.headers["if-none-match"];
  if (known === undefined || !matches(known, form.etag)) return form;
  const { "Content-Type": _type, ...rest } = form.headers;
  return { status: 304, headers: rest, etag: form.etag };
}

/** Characters of an `If-None-Match` that are read: clients send the one or two tags that they got. */
const MAX_MATCH_LENGTH = 1_024;

/** Whether an `If-None-Match` names this entity tag; a weak comparison, as RFC 9110 requires. */
function matches(header: string, etag: string): boolean {
  if (header.length > MAX_MATCH_LENGTH) return false;
  return header.split(",").some(one => {
    const tag = one.trim();
    return tag === "*" || tag === etag || tag === `W/${etag}`;
  });
}

import { createHash } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { COMMON_HEADERS, keepAlive } from "./headers.ts";

/** One form of a response, with its headers. */
interface Form {
  body: Buffer;
  /** the bytes of a short body as the characters of Latin-1: Node writes them together with the head, in one piece */
  text?: string;
  etag: string;
  headers: OutgoingHttpHeaders;
  /** the same as names and values by turns, which Node goes through faster, for a connection that stays open */
  list: OutgoingHttpHeader[];
  /** the head that Node has made of them within the last second */
  head?: string | undefined;
}

/** The part of a response of Node that is needed here, its head once it is made; Node does not describe it. */
interface Headed {
  _header?: string | null;
}

/** How long a head is sent again, in milliseconds: the time in it is one of whole seconds. */
const HEAD_MS = 1_000;

/** A response that is made once and sent many times. */
export interface PreparedResponse extends Form {
  /** the compressed form, made when somebody first takes it; a short response has none */
  compressed?: () => Form;
}

/** Bytes up to which compressing is not worth it: they fit into one packet. */
export const SHORT_BYTES = 1_024;

function formOf(body: Buffer, own: OutgoingHttpHeaders): Form {
  const etag = `"${createHash("sha1").update(body).digest("base64url")}"`;
  const headers = { "Content-Length": body.length, ETag: etag, ...own };
  const kept = { ...headers, ...keepAlive({ shouldKeepAlive: true, useChunkedEncodingByDefault: true }) };
  const list = Object.entries(kept).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
  return { body, ...(body.length <= SHORT_BYTES && { text: body.toString("latin1") }), etag, headers, list };
}

/** Prepares a response, with its entity tags. `own` headers have to hold its type and how it may be cached. */
export function prepareResponse(body: Buffer, own: OutgoingHttpHeaders): PreparedResponse {
  if (body.length <= SHORT_BYTES) return prepareWhole(body, own);
  const headers = { ...COMMON_HEADERS, Vary: "Origin, Accept-Encoding", ...own };
  let compressed: Form | undefined;
  return {
    ...formOf(body, headers),
    // Nothing in it is secret, so that its length may tell what it holds.
    compressed: () => {
      compressed ??= formOf(gzipSync(body), { ...headers, "Content-Encoding": "gzip" });
      return compressed;
    },
  };
}

/** The same for what is sent uncompressed to everybody. */
export const prepareWhole = (body: Buffer, own: OutgoingHttpHeaders): PreparedResponse =>
  formOf(body, { ...COMMON_HEADERS, ...own });

/** Prepares JSON that may be held for an interval by everybody. */
export const prepareJson = (value: unknown, holdMs: number): PreparedResponse =>
  prepareResponse(Buffer.from(JSON.stringify(value)), {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": `public, max-age=${Math.floor(holdMs / 1000)}`,
  });

/** The same for values that change: each is prepared when it is another object than the last time. */
export function prepareChanging(holdMs: number): (value: object) => PreparedResponse {
  let last: { value: object; response: PreparedResponse } | undefined;
  return value => {
    if (last?.value !== value) last = { value, response: prepareJson(value, holdMs) };
    return last.response;
  };
}

/** Words for each of which a response is kept. */
const MOST_KEPT = 16;

/**
 * The same for what depends on a word of the request besides. It is made once for both as long as the value stays; where
 * somebody makes words up, what is made for those past the first few is not kept.
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
    if (made.size < MOST_KEPT) made.set(word, response);
    return response;
  };
}

/** Characters of an `Accept-Encoding` that are read; browsers send some 30. */
const LONGEST_ACCEPT = 1_024;
const GZIP = /(?:^|,)\s*gzip\s*(?:;\s*q=([\d.]*)\s*)?(?:,|$)/i;

/** Whether an `Accept-Encoding` takes gzip. */
export function takesGzip({ headers }: IncomingMessage): boolean {
  const accepted = headers["accept-encoding"];
  if (accepted === undefined || accepted.length > LONGEST_ACCEPT) return false;
  const [found, weight = "1"] = GZIP.exec(String(accepted)) ?? [];
  return found !== undefined && Number(weight) > 0;
}

/** Sends the response, or 304 to whoever has it, or its headers to a HEAD. `extra` are headers of this one time. */
export function sendPrepared(
  prepared: PreparedResponse,
  req: IncomingMessage,
  res: ServerResponse,
  extra?: OutgoingHttpHeaders,
): void {
  const form = prepared.compressed && takesGzip(req) ? prepared.compressed() : prepared;
  const { body, text, etag, headers: always } = form;
  const isPlain = extra === undefined && isLikeMost(req, res);
  const headers = isPlain ? always : { ...always, ...keepAlive(res), ...extra };
  const known = req.headers["if-none-match"];
  if (known !== undefined && matches(known, etag)) {
    const { "Content-Length": _length, "Content-Type": _type, ...rest } = headers;
    res.writeHead(304, { ...rest, ...keepAlive(res) }).end();
    return;
  }
  if (isPlain) writeHeadAgain(form, res);
  else res.writeHead(200, headers);
  if (req.method === "HEAD") res.end();
  else if (text === undefined) res.end(body);
  else res.end(text, "latin1");
}

/** Whether the head of an answer depends on what it holds alone: its connection stays open, and no headers were set before. */
const isLikeMost = (req: IncomingMessage, res: ServerResponse): boolean =>
  res.shouldKeepAlive && req.headers.expect === undefined && res.getHeaderNames().length === 0;

/**
 * Writes the head that was made for somebody else a moment ago. Node checks and joins the same headers for each answer, which
 * is an eighth of the CPU of a short one. Where it keeps the head otherwise than it does now, it makes each anew.
 */
function writeHeadAgain(form: Form, res: ServerResponse): void {
  const headed = res as Headed;
  if (form.head !== undefined && headed._header === null) {
    headed._header = form.head;
    return;
  }
  res.writeHead(200, form.list);
  if (typeof headed._header !== "string") return;
  form.head = headed._header;
  setTimeout(() => {
    form.head = undefined;
  }, HEAD_MS).unref();
}

/** Characters of an `If-None-Match` that are read: clients send the one or two tags that they were given. */
const LONGEST_MATCH = 1_024;

/** Whether an `If-None-Match` names this entity tag; a weak comparison, as RFC 9110 asks for. */
function matches(header: string, etag: string): boolean {
  if (header.length > LONGEST_MATCH) return false;
  return header.split(",").some(one => {
    const tag = one.trim();
    return tag === "*" || tag === etag || tag === `W/${etag}`;
  });
}

import { createHash } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { gzipSync } from "node:zlib";
import { type Answer, sentOften } from "./answer.ts";

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
  /** the compressed form, made when somebody first takes it; a short response has none */
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
const MOST_KEPT = 16;

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

/** The response in the form that a request accepts, or 304 where its client has it. */
export function preparedAnswer<B>(prepared: PreparedResponse<B>, req: IncomingMessage): CachedAnswer<B> {
  const form = prepared.compressed && takesGzip(req) ? prepared.compressed() : prepared;
  const known = req.headers["if-none-match"];
  if (known === undefined || !matches(known, form.etag)) return form;
  const { "Content-Type": _type, ...rest } = form.headers;
  return { status: 304, headers: rest, etag: form.etag };
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

import { createHash } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { COMMON_HEADERS } from "./headers.ts";

/** A response with its headers, made once and sent many times. */
export interface PreparedResponse {
  body: Buffer;
  etag: string;
  headers: OutgoingHttpHeaders;
}

/** Prepares a response, with its entity tag. `headers` have to hold its type and how it may be cached. */
export function prepareResponse(body: Buffer, headers: OutgoingHttpHeaders): PreparedResponse {
  const etag = `"${createHash("sha1").update(body).digest("base64url")}"`;
  return {
    body,
    etag,
    headers: { "Content-Length": body.length, ETag: etag, ...COMMON_HEADERS, ...headers },
  };
}

/** Prepares JSON that may be held for an interval by everybody. */
export const prepareJson = (value: unknown, holdMs: number): PreparedResponse =>
  prepareResponse(Buffer.from(JSON.stringify(value)), {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": `public, max-age=${Math.floor(holdMs / 1000)}`,
  });

/** Sends the response, or 304 to whoever has it, or its headers to a HEAD. `extra` are headers of this one time. */
export function sendPrepared(
  { body, etag, headers: always }: PreparedResponse,
  req: IncomingMessage,
  res: ServerResponse,
  extra?: OutgoingHttpHeaders,
): void {
  const headers = extra ? { ...always, ...extra } : always;
  const known = req.headers["if-none-match"];
  if (known !== undefined && matches(known, etag)) {
    const { "Content-Length": _length, "Content-Type": _type, ...rest } = headers;
    res.writeHead(304, rest).end();
  } else if (req.method === "HEAD") res.writeHead(200, headers).end();
  else res.writeHead(200, headers).end(body);
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

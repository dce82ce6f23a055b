import { createHash } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { PublicSnapshot, Snapshots } from "../app/snapshots.ts";

/** A body with its headers, made once and sent many times. */
export interface Prepared {
  body: Buffer;
  etag: string;
  headers: OutgoingHttpHeaders;
}

/** Makes a body ready, with its entity tag. `headers` have to hold its type and how it may be cached. */
export function prepareBody(body: Buffer, headers: OutgoingHttpHeaders): Prepared {
  const etag = `"${createHash("sha1").update(body).digest("base64url")}"`;
  return {
    body,
    etag,
    headers: {
      "Content-Length": body.length,
      ETag: etag,
      Vary: "Origin",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
  };
}

/** Makes JSON ready that may be held for an interval by everybody. */
export const prepareJson = (value: unknown, holdMs: number): Prepared =>
  prepareBody(Buffer.from(JSON.stringify(value)), {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": `public, max-age=${Math.floor(holdMs / 1000)}`,
  });

/** Sends a body, or 304 to whoever has it, or its headers to a HEAD. `extra` are headers of this one answer. */
export function sendPrepared(
  { body, etag, headers: always }: Prepared,
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

/** Answers of `GET /status` and `GET /players`, made once for each picture of the game. */
export interface PreparedAnswers {
  /** Answers if there is a fresh picture; false when there is none. `extra` are headers of this one answer. */
  send(
    path: "/status" | "/players",
    req: IncomingMessage,
    res: ServerResponse,
    extra?: OutgoingHttpHeaders,
  ): boolean;
}

export function prepareAnswers(snapshots: Snapshots, refreshMs: number): PreparedAnswers {
  const answers = new Map<string, Prepared>();

  function prepareAll({ status, players }: PublicSnapshot): void {
    answers.set("/status", prepareJson(status, refreshMs));
    answers.set("/players", prepareJson(players, refreshMs));
  }

  const now = snapshots.fresh();
  if (now) prepareAll(now);
  snapshots.onChange(prepareAll);

  return {
    send(path, req, res, extra) {
      const answer = answers.get(path);
      if (!answer || !snapshots.fresh()) return false;
      sendPrepared(answer, req, res, extra);
      return true;
    },
  };
}

/** Whether an `If-None-Match` names this entity tag; a weak comparison, as RFC 9110 asks for. */
function matches(header: string, etag: string): boolean {
  return header.split(",").some(one => {
    const tag = one.trim();
    return tag === "*" || tag === etag || tag === `W/${etag}`;
  });
}

import { createHash } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Picture, View } from "../app/view.ts";

interface Prepared {
  body: Buffer;
  etag: string;
  headers: OutgoingHttpHeaders;
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

export function prepareAnswers(view: View, refreshMs: number): PreparedAnswers {
  const answers = new Map<string, Prepared>();
  const cacheControl = `public, max-age=${Math.floor(refreshMs / 1000)}`;

  function prepare(path: string, value: unknown): void {
    const body = Buffer.from(JSON.stringify(value));
    const etag = `"${createHash("sha1").update(body).digest("base64url")}"`;
    if (answers.get(path)?.etag === etag) return;
    const headers = {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": body.length,
      ETag: etag,
      "Cache-Control": cacheControl,
      Vary: "Origin",
      "X-Content-Type-Options": "nosniff",
    };
    answers.set(path, { body, etag, headers });
  }

  function prepareAll(picture: Picture): void {
    prepare("/status", picture.metrics);
    prepare("/players", picture.players);
  }

  const now = view.fresh();
  if (now) prepareAll(now);
  view.onChange(prepareAll);

  return {
    send(path, req, res, extra) {
      const answer = answers.get(path);
      if (!answer || !view.fresh()) return false;
      const headers = extra ? { ...answer.headers, ...extra } : answer.headers;
      const known = req.headers["if-none-match"];
      if (known !== undefined && matches(known, answer.etag)) {
        const { "Content-Length": _length, "Content-Type": _type, ...rest } = headers;
        res.writeHead(304, rest).end();
      } else if (req.method === "HEAD") res.writeHead(200, headers).end();
      else res.writeHead(200, headers).end(answer.body);
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

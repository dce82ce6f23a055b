import type { IncomingMessage } from "node:http";
import { parse } from "cookie";
import type { Handler } from "./body.ts";
import { sendError } from "./errors.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The browser session that a request's cookie names, in lower case; undefined when there is no valid one. */
export function sessionOf(req: IncomingMessage, cookieName: string): string | undefined {
  const header = req.headers.cookie;
  if (header === undefined) return undefined;
  const value = parse(header)[cookieName];
  return value !== undefined && UUID.test(value) ? value.toLowerCase() : undefined;
}

/** Hands a request on with its session, before its body is read; answers `missing_session` to one without. */
export function withSession<B>(cookieName: string, handlerOf: (session: string) => Handler<B>): Handler<B> {
  return (req, res, next) => {
    const session = sessionOf(req, cookieName);
    return session === undefined ? sendError(res, "missing_session") : handlerOf(session)(req, res, next);
  };
}

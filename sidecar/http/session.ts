import type { IncomingMessage } from "node:http";
import { parse } from "cookie";
import type { Result } from "../../shared/result.ts";
import type { Handler } from "./body.ts";
import { sendError } from "./errors.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * The browser session that a request's cookies of this name tell, in lower case; those that are no UUID are passed over.
 * `ambiguous`: two tell different ones. The browser's own and one that a neighbouring host has planted cannot be told
 * apart.
 */
export function readSession(
  req: IncomingMessage,
  cookieName: string,
): Result<string, "missing" | "ambiguous"> {
  // The parser takes the first cookie of a name and drops the others.
  const values = (req.headers.cookie ?? "").split(";").map(pair => parse(pair)[cookieName]?.toLowerCase());
  const [session, ...others] = new Set(values.filter(value => value !== undefined && UUID.test(value)));
  if (others.length > 0) return { fault: "ambiguous" };
  return session === undefined ? { fault: "missing" } : { value: session };
}

/** Hands a request on with its session, before its body is read; answers `missing_session` to one without. */
export function withSession<B>(cookieName: string, handlerOf: (session: string) => Handler<B>): Handler<B> {
  return (req, res, next) => {
    const session = readSession(req, cookieName);
    return "fault" in session ? sendError(res, "missing_session") : handlerOf(session.value)(req, res, next);
  };
}

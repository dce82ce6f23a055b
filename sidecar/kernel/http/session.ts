import type { IncomingMessage } from "node:http";
import { parseCookie } from "cookie";
import type { Request, Response } from "express";
import { isUuid } from "../../../shared/public/schema-guards.ts";
import type { Result } from "../../../shared/result.ts";
import type { Trust } from "./client-address.ts";
import type { ApiSettings } from "./description.ts";
import { errorAnswer } from "./errors.ts";
import { isSecure } from "./origin.ts";
import { type Auth, anybody } from "./route.ts";

/**
 * The browser session in a request's cookies with this name, in lower case; values that are not a UUID are ignored. `ambiguous`: two
 * differ, and one may have been planted by a neighbouring host.
 */
export function readSession(
  req: IncomingMessage,
  cookieName: string,
): Result<string, "missing" | "ambiguous"> {
  const values = cookiesOf(req.headers.cookie ?? "", cookieName);
  const [session, ...others] = new Set(values.filter(value => value !== undefined && isUuid(value)));
  if (others.length > 0) return { fault: "ambiguous" };
  return session === undefined ? { fault: "missing" } : { value: session };
}

/** Sets the cookie of a session for the configured time; over HTTPS it is sent over HTTPS only. */
export const createSetSession =
  ({ name, maxAge }: ApiSettings["sessionCookie"], trust: Trust) =>
  (req: Request, res: Response, session: string): void => {
    res.cookie(name, session, {
      path: "/",
      httpOnly: true,
      // Browsers accept names with this prefix only with this attribute.
      secure: isSecure(req, trust) || name.startsWith("__Host-"),
      sameSite: "strict",
      maxAge,
    });
  };

/** Every cookie of a name, in lower case: the parser returns the first one and drops the others. */
function cookiesOf(header: string, name: string): (string | undefined)[] {
  const values: (string | undefined)[] = [];
  for (let at = header.indexOf(name); at >= 0; ) {
    const end = header.indexOf(";", at);
    const pair = header.slice(header.lastIndexOf(";", at) + 1, end < 0 ? undefined : end);
    values.push(parseCookie(pair)[name]?.toLowerCase());
    at = end < 0 ? -1 : header.indexOf(name, end);
  }
  return values;
}

export const session: Auth<{ session: string }, { api: Pick<ApiSettings, "sessionCookie"> }> = {
  scheme: () => "session",
  admit:
    ({ api }) =>
    req => {
      const read = readSession(req, api.sessionCookie.name);
      return "fault" in read ? { fault: errorAnswer("missing_session") } : { value: { session: read.value } };
    },
};

export const maybeSession: Auth<object, unknown> = { ...anybody, scheme: () => "maybeSession" };

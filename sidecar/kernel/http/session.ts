import type { IncomingMessage } from "node:http";
import { parseCookie } from "cookie";
import { isUuid } from "../../../shared/public/declare.ts";
import type { Result } from "../../../shared/result.ts";
import type { ApiSettings } from "./description.ts";
import { errorAnswer } from "./errors.ts";
import { type Auth, anybody } from "./route.ts";

/**
 * The browser session that a request's cookies of this name tell, in lower case; those that are no UUID are passed over.
 * `ambiguous`: two tell different ones. The browser's own and one that a neighbouring host has planted cannot be told
 * apart.
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

/** Every cookie of a name, in lower case: the parser takes the first one and drops the others. */
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

/** For browsers with a session. */
export const session: Auth<{ session: string }, { api: Pick<ApiSettings, "sessionCookie"> }> = {
  scheme: () => "session",
  admit:
    ({ api }) =>
    req => {
      const read = readSession(req, api.sessionCookie.name);
      return "fault" in read ? { fault: errorAnswer("missing_session") } : { value: { session: read.value } };
    },
};

/** For browsers with a session and others. */
export const maybeSession: Auth<object, unknown> = { ...anybody, scheme: () => "maybeSession" };

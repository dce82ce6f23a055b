import { randomUUID } from "node:crypto";
import type { Request, Response } from "express";
import { sendJson } from "../../kernel/http/answer.ts";
import type { ListenerDeps, Route } from "../../kernel/http/deps.ts";
import { sendError } from "../../kernel/http/errors.ts";
import { isSecure } from "../../kernel/http/origin.ts";
import { readSession } from "../../kernel/http/session.ts";

/**
 * `GET /initialize`: tells the browser its session, and makes one for a browser that has none. One with a link gets its
 * cookie anew, so that it lasts as long as somebody comes back to it; where the storage cannot tell of a link, it does not.
 */
export function initializeRoute({ api, links, trust }: ListenerDeps): Route<"initialize"> {
  const { name, maxAge } = api.sessionCookie;

  function setCookie(req: Request, res: Response, session: string): void {
    res.cookie(name, session, {
      path: "/",
      httpOnly: true,
      // A browser takes a name that begins so with this attribute only.
      secure: isSecure(req, trust) || name.startsWith("__Host-"),
      sameSite: "strict",
      maxAge,
    });
  }

  const isLinked = (session: string): Promise<boolean> =>
    links.link(session).then(
      ({ status }) => status === "accepted",
      () => false,
    );

  return async (req, res) => {
    // Where another site has sent the browser here, its cookie has stayed behind (`SameSite=Strict`): a new one would take
    // the place of the session that it has.
    const mayHave = req.get("Sec-Fetch-Site") !== "cross-site";
    const known = readSession(req, name);
    if ("value" in known) {
      if (mayHave && (await isLinked(known.value))) setCookie(req, res, known.value);
      return sendJson(res, { status: "existing", userId: known.value });
    }
    if (known.fault === "ambiguous") return sendError(res, "missing_session");
    const userId = randomUUID();
    if (mayHave) setCookie(req, res, userId);
    sendJson(res, { status: "new", userId });
  };
}

import { randomUUID } from "node:crypto";
import type { Request, Response } from "express";
import { time } from "../../kernel/http/amounts.ts";
import { json } from "../../kernel/http/answer.ts";
import type { Trust } from "../../kernel/http/client-address.ts";
import { type ApiSettings, WITHOUT_GAME } from "../../kernel/http/description.ts";
import { errorAnswer } from "../../kernel/http/errors.ts";
import { isSecure } from "../../kernel/http/origin.ts";
import { route } from "../../kernel/http/route.ts";
import { maybeSession, readSession } from "../../kernel/http/session.ts";
import type { Links } from "./links.ts";

export interface InitializeDeps {
  api: ApiSettings;
  links: Links;
  trust: Trust;
}

/**
 * Tells the browser its session, and makes one for a browser that has none. One with a link gets its cookie anew, so that it lasts as
 * long as somebody comes back to it; where the storage cannot tell of a link, it does not.
 */
export const initialize = route(
  "GET /initialize",
  {
    id: "initialize",
    tag: "Linking",
    summary: "The browser session",
    description: api =>
      `Tells the session that the cookie names. When there is none, or its value is no UUID, makes one and sets the cookie for ${time(api.sessionCookie.maxAge)}. A session with an accepted link gets the same cookie again, for as long, where the link can be looked up at the moment. No cookie is set for a browser that another site has sent here (\`Sec-Fetch-Site: cross-site\`): the one that it has stays behind then. Cookies that name different sessions are answered with 401. ${WITHOUT_GAME}`,
    auth: maybeSession,
    answers: { 200: { description: "The session.", body: "InitializationData", headers: ["Set-Cookie"] } },
    errors: ["missing_session"],
  },
  ({ api, links, trust }: InitializeDeps) => {
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

    return async ({ req, res }) => {
      // Where another site has sent the browser here, its cookie has stayed behind (`SameSite=Strict`): a new one would take
      // the place of the session that it has.
      const mayHave = req.get("Sec-Fetch-Site") !== "cross-site";
      const known = readSession(req, name);
      if ("value" in known) {
        if (mayHave && (await isLinked(known.value))) setCookie(req, res, known.value);
        return json({ status: "existing", userId: known.value });
      }
      if (known.fault === "ambiguous") return errorAnswer("missing_session");
      const userId = randomUUID();
      if (mayHave) setCookie(req, res, userId);
      return json({ status: "new", userId });
    };
  },
);

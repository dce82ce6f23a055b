import { randomUUID } from "node:crypto";
import { sendError } from "../errors.ts";
import { readSession } from "../session.ts";
import type { PublicDeps, Route } from "./deps.ts";

/**
 * `GET /initialize`: tells the browser its session, and makes one for a browser that has none. Where another site has
 * sent the browser here, its cookie has stayed behind (`SameSite=Strict`): a new one would take the place of the session
 * that it has.
 */
export function initializeRoute({ api }: PublicDeps): Route<"initialize"> {
  return (req, res) => {
    const known = readSession(req, api.sessionCookie.name);
    if ("value" in known) {
      res.json({ status: "existing", userId: known.value });
      return;
    }
    if (known.fault === "ambiguous") return sendError(res, "missing_session");
    const userId = randomUUID();
    if (req.get("Sec-Fetch-Site") !== "cross-site")
      res.cookie(api.sessionCookie.name, userId, {
        path: "/",
        httpOnly: true,
        // A browser takes a name that begins so with this attribute only.
        secure: req.secure || api.sessionCookie.name.startsWith("__Host-"),
        sameSite: "strict",
        maxAge: api.sessionCookie.maxAge,
      });
    res.json({ status: "new", userId });
  };
}

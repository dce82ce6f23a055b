import { randomUUID } from "node:crypto";
import { sessionOf } from "../session.ts";
import type { PublicDeps, Route } from "./deps.ts";

/** `GET /initialize`: tells the browser its session, and makes one for a browser that has none. */
export function initializeRoute({ api }: PublicDeps): Route<"initialize"> {
  return (req, res) => {
    const known = sessionOf(req, api.sessionCookie.name);
    if (known !== undefined) {
      res.json({ status: "existing", userId: known });
      return;
    }
    const userId = randomUUID();
    res.cookie(api.sessionCookie.name, userId, {
      path: "/",
      httpOnly: true,
      secure: req.secure,
      sameSite: "strict",
      maxAge: api.sessionCookie.maxAge,
    });
    res.json({ status: "new", userId });
  };
}

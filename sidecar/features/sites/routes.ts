import type { RequestHandler } from "express";
import { sendAnswer, sendJson } from "../../kernel/http/answer.ts";
import type { PublicDeps, Route } from "../../kernel/http/deps.ts";
import { sendError } from "../../kernel/http/errors.ts";
import { readSession } from "../../kernel/http/session.ts";

export const FORWARD_PATH = "/session/forward";

/** `GET /session/forward`: whether a proxy may let a browser through, and as whom. */
export const forwardRoute = ({ api, sites }: PublicDeps): RequestHandler =>
  async function forward(req, res) {
    const session = readSession(req, api.sessionCookie.name);
    const known = "value" in session ? await sites.linked(session.value) : undefined;
    if (known === undefined) return sendAnswer(res, { status: 401, headers: {}, body: "" });
    // Half of a character cannot be encoded: as bytes it is the sign for one that is unknown.
    const name = encodeURIComponent(Buffer.from(known.name).toString());
    const headers = { "X-Player-Uuid": known.uuid, "X-Player-Name": name };
    sendAnswer(res, { status: 200, headers, body: "" });
  };

/** `GET /session/sites`: sites that know this browser's player. */
export const sitesRoute =
  ({ sites }: PublicDeps) =>
  (session: string): Route<"sites"> =>
  async (_req, res) => {
    sendJson(res, await sites.sites(session));
  };

/** `DELETE /session/sites/<client id>`: ends what one of them was told. */
export const endSiteRoute =
  ({ sites }: PublicDeps) =>
  (session: string): Route<"endSite"> =>
  async (req, res) => {
    if (await sites.endSite(session, `${req.params.id}`)) sendJson(res, { status: "ended" });
    else sendError(res, "not_found");
  };

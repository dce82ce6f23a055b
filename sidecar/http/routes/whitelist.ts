import type { RequestHandler } from "express";
import { isWhitelistName } from "../../domain/whitelist.ts";
import { jsonObject } from "../body.ts";
import { addressKey } from "../client.ts";
import { sendError, sendUnavailable, sendUnexpected } from "../errors.ts";
import { secretCheck } from "../secrets.ts";
import { createThrottledWarn } from "../throttled-log.ts";
import { type PublicDeps, type Route, retryAfterSeconds } from "./deps.ts";

export const ADMIN_KEY_HEADER = "X-Service-Api-Key";

/** Refuses a request without the administrator's key, before its body is read. */
export function needAdminKey({ api, clock, log }: PublicDeps): RequestHandler {
  const isKey = secretCheck(api.adminApiKey);
  const warn = createThrottledWarn(log, clock);
  return (req, res, next) => {
    if (api.adminApiKey.trim() === "") return sendError(res, "admin_api_disabled");
    if (isKey(req.get(ADMIN_KEY_HEADER) ?? "")) return next();
    warn({ address: addressKey(req.ip ?? "") }, "refused a request with a missing or wrong admin key");
    res.status(401).end();
  };
}

/** `GET /whitelist`. */
export function readWhitelistRoute({ api, log, snapshots, whitelist }: PublicDeps): Route<"whitelist"> {
  return async (_req, res) => {
    if (!snapshots.fresh()) return sendUnavailable(res, retryAfterSeconds(api));
    const read = await whitelist.read();
    if (read.answer === "unexpected") return sendUnexpected(res, log, { why: read.why });
    res.json(read.names);
  };
}

/** `POST /whitelist`. Stands behind `needAdminKey` and the body reader. */
export function addToWhitelistRoute({ api, log, snapshots, whitelist }: PublicDeps): Route<"addToWhitelist"> {
  return async (req, res) => {
    const body = jsonObject(req.headers["content-type"], req.body);
    const name = body?.playerName ?? null;
    if (!body || (name !== null && typeof name !== "string")) return sendError(res, "invalid_body");
    if (name === null || !isWhitelistName(name)) return sendError(res, "invalid_name");
    if (!snapshots.fresh()) return sendUnavailable(res, retryAfterSeconds(api));
    const added = await whitelist.add(name);
    if (added.answer === "unexpected") return sendUnexpected(res, log, { why: added.why });
    log.info({ name, address: addressKey(req.ip ?? "") }, "put a name on the allowlist");
    res.status(202).json({ status: "whitelisted" });
  };
}

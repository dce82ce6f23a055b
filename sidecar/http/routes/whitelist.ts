import { type Infer, object } from "../../../shared/guard.ts";
import { isWhitelistName } from "../../domain/whitelist.ts";
import { type Handler, maybeText } from "../body.ts";
import { addressKey } from "../client-address.ts";
import { sendError, sendUnexpected } from "../errors.ts";
import { createSecretCheck } from "../secrets.ts";
import { type PublicDeps, type Route, sendUnavailable } from "./deps.ts";

export const ADMIN_KEY_HEADER = "X-Service-Api-Key";

/** Makes what hands a request on that carries the administrator's key, and refuses others before their body is read. */
export function createWithAdminKey({ api, log }: PublicDeps): <B>(handler: Handler<B>) => Handler<B> {
  const isKey = createSecretCheck(api.adminApiKey);
  return handler => (req, res, next) => {
    if (api.adminApiKey.trim() === "") return sendError(res, "admin_api_disabled");
    if (isKey(req.get(ADMIN_KEY_HEADER) ?? "")) return handler(req, res, next);
    log.warn({ address: addressKey(req.ip ?? "") }, "refused a request with a missing or wrong admin key");
    return void res.status(401).end();
  };
}

/** `GET /whitelist`. Stands behind the admin key. */
export function readWhitelistRoute({ api, log, snapshots, whitelist }: PublicDeps): Route<"whitelist"> {
  return async (_req, res) => {
    if (!snapshots.fresh()) return sendUnavailable(res, api);
    const read = await whitelist.read();
    if ("fault" in read) return sendUnexpected(res, log, { why: read.fault });
    res.json(read.value);
  };
}

export const whitelistRequest = object({ playerName: maybeText });

/** `POST /whitelist`. Stands behind the admin key. */
export const addToWhitelistRoute =
  ({ api, log, ownerLog, snapshots, whitelist }: PublicDeps) =>
  ({ playerName: name }: Infer<typeof whitelistRequest>): Route<"addToWhitelist"> =>
  async (req, res) => {
    if (typeof name !== "string" || !isWhitelistName(name)) return sendError(res, "invalid_name");
    if (!snapshots.fresh()) return sendUnavailable(res, api);
    const added = await whitelist.add(name);
    if ("fault" in added) return sendUnexpected(res, log, { why: added.fault });
    ownerLog.info({ name, address: addressKey(req.ip ?? "") }, "put a name on the allowlist");
    res.status(202).json({ status: added.value });
  };

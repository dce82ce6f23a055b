import { type Infer, object } from "../../../shared/guard.ts";
import { isWhitelistName } from "../../domain/whitelist.ts";
import { maybeText } from "../body.ts";
import { addressKey } from "../client-address.ts";
import { sendError, sendUnexpected } from "../errors.ts";
import { type PublicDeps, type Route, sendUnavailable } from "./deps.ts";

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
export type WhitelistRequest = Infer<typeof whitelistRequest>;

/** `POST /whitelist`. Stands behind the admin key. */
export const addToWhitelistRoute =
  ({ api, log, ownerLog, snapshots, whitelist }: PublicDeps) =>
  (key: string, { playerName: name }: WhitelistRequest): Route<"addToWhitelist"> =>
  async (req, res) => {
    if (typeof name !== "string" || !isWhitelistName(name)) return sendError(res, "invalid_name");
    if (!snapshots.fresh()) return sendUnavailable(res, api);
    const added = await whitelist.add(name);
    if ("fault" in added) return sendUnexpected(res, log, { why: added.fault });
    ownerLog.info({ name, holder: key, address: addressKey(req.ip ?? "") }, "put a name on the allowlist");
    res.status(202).json({ status: added.value });
  };

import type { Request, Response } from "express";
import { type Infer, object } from "../../../shared/guard.ts";
import type { Unchanged } from "../../app/whitelist.ts";
import { sendJson } from "../answer.ts";
import { maybeText } from "../body.ts";
import { addressKey } from "../client-address.ts";
import { sendError, sendUnexpected } from "../errors.ts";
import { type PublicDeps, type Route, sendUnavailable, type WorldDeps } from "./deps.ts";

/** `GET /whitelist`. Stands behind a key. */
export function readWhitelistRoute({ api, log, world }: WorldDeps): Route<"whitelist"> {
  const { snapshots, whitelist } = world;
  return async (_req, res) => {
    if (!snapshots.fresh()) return sendUnavailable(res, api);
    const read = await whitelist.read();
    if ("fault" in read) return sendUnexpected(res, log, { why: read.fault });
    sendJson(res, read.value);
  };
}

export const whitelistRequest = object({ playerName: maybeText });
export type WhitelistRequest = Infer<typeof whitelistRequest>;

/** `POST /whitelist`. Stands behind a key. */
export function addToWhitelistRoute(deps: WorldDeps) {
  const { api, ownerLog, world } = deps;
  const { snapshots, whitelist } = world;
  return (key: string, { playerName: name }: WhitelistRequest): Route<"addToWhitelist"> =>
    async (req, res) => {
      if (typeof name !== "string" || !whitelist.takes(name)) return sendError(res, "invalid_name");
      if (!snapshots.fresh()) return sendUnavailable(res, api);
      const address = addressOf(req);
      const changed = await whitelist.add(name, { key, address });
      if (changed.outcome !== "whitelisted") return sendUnchanged(res, deps, changed);
      ownerLog.info({ name, holder: key, address }, "put a name on the allowlist");
      sendJson(res, { status: "whitelisted" }, 202);
    };
}

/** `DELETE /whitelist`. Stands behind a key. Any name may be on the list: only the game knows. */
export function removeFromWhitelistRoute(deps: WorldDeps) {
  const { api, ownerLog, world } = deps;
  const { snapshots, whitelist } = world;
  return (key: string, { playerName: name }: WhitelistRequest): Route<"removeFromWhitelist"> =>
    async (req, res) => {
      if (typeof name !== "string" || !whitelist.mayList(name)) return sendError(res, "invalid_name");
      if (!snapshots.fresh()) return sendUnavailable(res, api);
      const address = addressOf(req);
      const changed = await whitelist.remove(name, { key, address });
      if (changed.outcome !== "removed") return sendUnchanged(res, deps, changed);
      ownerLog.info({ name, holder: key, address }, "took a name off the allowlist");
      sendJson(res, { status: "removed" });
    };
}

const addressOf = (req: Request): string => addressKey(req.ip ?? "");

function sendUnchanged(res: Response, { api, log }: PublicDeps, unchanged: Unchanged): void {
  if (unchanged.outcome === "server_unavailable") sendUnavailable(res, api);
  else if (unchanged.outcome === "unexpected_result") sendUnexpected(res, log, { why: unchanged.why });
  else sendError(res, unchanged.outcome);
}

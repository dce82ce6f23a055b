import type { Response } from "express";
import { type Infer, object } from "../../../shared/guard.ts";
import { sendJson } from "../../kernel/http/answer.ts";
import { maybeText } from "../../kernel/http/body.ts";
import { type PublicDeps, type Route, sendUnavailable, type WorldDeps } from "../../kernel/http/deps.ts";
import { sendError, sendUnexpected } from "../../kernel/http/errors.ts";
import { authorOf, sendUndone } from "../moderation/audited-answers.ts";
import type { Unchanged } from "./whitelist.ts";

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
  return (key: string, { playerName }: WhitelistRequest): Route<"addToWhitelist"> =>
    async (req, res) => {
      // As the game has it: nobody would be let in by another form, and nothing would say so.
      const name = playerName?.normalize("NFC");
      if (typeof name !== "string" || !whitelist.takes(name)) return sendError(res, "invalid_name");
      if (!snapshots.fresh()) return sendUnavailable(res, api);
      const author = authorOf(key, req);
      const changed = await whitelist.add(name, author);
      if (changed.outcome !== "whitelisted") return sendUnchanged(res, deps, changed);
      ownerLog.info({ name, holder: key, address: author.address }, "put a name on the allowlist");
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
      const author = authorOf(key, req);
      const changed = await whitelist.remove(name, author);
      if (changed.outcome !== "removed") return sendUnchanged(res, deps, changed);
      ownerLog.info({ name, holder: key, address: author.address }, "took a name off the allowlist");
      sendJson(res, { status: "removed" });
    };
}

function sendUnchanged(res: Response, deps: PublicDeps, unchanged: Unchanged): void {
  if (unchanged.outcome === "server_unavailable" || unchanged.outcome === "unexpected_result")
    sendUndone(res, deps, unchanged);
  else sendError(res, unchanged.outcome);
}

import { milliseconds } from "../../../shared/duration.ts";
import { type Infer, object } from "../../../shared/guard.ts";
import { isUuid } from "../../../shared/public/declare.ts";
import { sendJson } from "../../kernel/http/answer.ts";
import { anything } from "../../kernel/http/body.ts";
import type { PublicDeps, Route } from "../../kernel/http/deps.ts";
import { sendError } from "../../kernel/http/errors.ts";
import { REASON_CHARACTERS } from "../chat/rules/chat.ts";
import { authorOf } from "../moderation/audited-answers.ts";
import { cleaned } from "../moderation/routes.ts";

export const unbanRequest = object({ playerName: anything, uuid: anything });
export const banRequest = object({ playerName: anything, uuid: anything, reason: anything, for: anything });

/** Whom a body names: undefined where that is nobody, or somebody twice. */
function named({
  playerName,
  uuid,
}: Infer<typeof unbanRequest>): { name: string } | { uuid: string } | undefined {
  const name = playerName ?? undefined;
  const id = typeof uuid === "string" ? uuid.toLowerCase() : (uuid ?? undefined);
  if (name !== undefined && id !== undefined) return undefined;
  if (typeof name === "string" && name.trim() !== "") return { name };
  return typeof id === "string" && isUuid(id) ? { uuid: id } : undefined;
}

/** The calls about bans of one game server, or without one of all. Each stands behind a key. */
export function bansRoutes({ bans, ownerLog }: PublicDeps, server?: string) {
  const list: Route<"bans"> = async (_req, res) => sendJson(res, await bans.list(server));

  const add =
    (key: string, body: Infer<typeof banRequest>): Route<"ban"> =>
    async (req, res) => {
      const who = named(body);
      if (who === undefined) return sendError(res, "invalid_name");
      const reason = cleaned(REASON_CHARACTERS, body.reason ?? "");
      const forMs = milliseconds(body.for);
      const isForGood = body.for === undefined || body.for === null;
      if (reason === undefined || (!isForGood && !forMs)) return sendError(res, "invalid_body");
      const author = authorOf(key, req);
      const given = reason.trim() === "" ? {} : { reason };
      const { outcome } = await bans.add({ who, ...given, forMs }, author, server);
      if (outcome !== "banned") return sendError(res, outcome);
      ownerLog.info({ ...who, ...given, server, holder: key, address: author.address }, "banned a player");
      sendJson(res, { status: outcome });
    };

  const remove =
    (key: string, body: Infer<typeof unbanRequest>): Route<"unban"> =>
    async (req, res) => {
      const who = named(body);
      if (who === undefined) return sendError(res, "invalid_name");
      const author = authorOf(key, req);
      const { outcome } = await bans.remove(who, author, server);
      if (outcome !== "unbanned") return sendError(res, outcome);
      ownerLog.info({ ...who, server, holder: key, address: author.address }, "lifted the ban of a player");
      sendJson(res, { status: outcome });
    };

  return { list, add, remove };
}

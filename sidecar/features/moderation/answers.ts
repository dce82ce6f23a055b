import type { Request } from "express";
import { BAN_REASON_LENGTH } from "../../../shared/limits.ts";
import { addressKey } from "../../kernel/http/client-address.ts";
import { type ErrorAnswer, unavailable, unexpected } from "../../kernel/http/errors.ts";
import type { Caller } from "../../kernel/http/keys.ts";
import type { Log } from "../../platform/log.ts";
import type { Author, NotDone } from "./audit.ts";

/** The detail of `invalid_body` for a reason that is not a string, or too long. */
export const reasonDetail = {
  field: "reason",
  message: `\`reason\` must be text of at most ${BAN_REASON_LENGTH} characters.`,
};

export const authorOf = ({ key, uuid }: Caller, req: Request): Author => ({
  key,
  uuid,
  address: addressKey(req.ip ?? ""),
});

/** Why a change was not made, as it is answered. */
export const notDoneAnswer = (
  { api, log }: { api: { metricsRefreshInterval: number }; log: Log },
  req: Request,
  undone: NotDone,
): ErrorAnswer<NotDone["outcome"]> =>
  undone.outcome === "server_unavailable" ? unavailable(api) : unexpected(log, req, { why: undone.why });

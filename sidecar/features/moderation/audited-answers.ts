import type { Request, Response } from "express";
import { addressKey } from "../../kernel/http/client-address.ts";
import { type PublicDeps, sendUnavailable } from "../../kernel/http/deps.ts";
import { sendUnexpected } from "../../kernel/http/errors.ts";
import type { Author, Undone } from "./audited.ts";

/** Who asks for a change with the key of this name. */
export const authorOf = (key: string, req: Request): Author => ({ key, address: addressKey(req.ip ?? "") });

/** Answers why a change was not made. */
export function sendUndone(res: Response, { api, log }: PublicDeps, undone: Undone): void {
  if (undone.outcome === "server_unavailable") sendUnavailable(res, api);
  else sendUnexpected(res, log, { why: undone.why });
}

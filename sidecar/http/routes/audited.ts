import type { Request, Response } from "express";
import type { Author, Undone } from "../../app/audited.ts";
import { addressKey } from "../client-address.ts";
import { sendUnexpected } from "../errors.ts";
import { type PublicDeps, sendUnavailable } from "./deps.ts";

/** Who asks for a change with the key of this name. */
export const authorOf = (key: string, req: Request): Author => ({ key, address: addressKey(req.ip ?? "") });

/** Answers why a change was not made. */
export function sendUndone(res: Response, { api, log }: PublicDeps, undone: Undone): void {
  if (undone.outcome === "server_unavailable") sendUnavailable(res, api);
  else sendUnexpected(res, log, { why: undone.why });
}

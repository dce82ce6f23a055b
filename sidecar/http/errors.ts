import { randomUUID } from "node:crypto";
import type { Response } from "express";
import type { ServiceErrorCode } from "../../client/types.ts";
import type { Log } from "../ports.ts";

/** Every error of the public service with its HTTP status. The body is `{ "error": code }`. */
export const ERRORS = {
  invalid_body: 400,
  missing_username: 400,
  invalid_name: 400,
  not_linked: 400,
  missing_session: 401,
  origin_not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  player_offline: 422,
  upgrade_required: 426,
  rate_limited: 429,
  unexpected_result: 500,
  admin_api_disabled: 503,
  server_unavailable: 503,
  too_many_connections: 503,
} as const satisfies Record<ServiceErrorCode, number>;
export type ErrorCode = ServiceErrorCode;

/** Answers with an error. `status` where the table's does not apply. */
export function sendError(res: Response, code: ErrorCode, status: number = ERRORS[code]): void {
  res.status(status).json({ error: code });
}

/** Answers that no game server is there, and when it is worth trying again. */
export function sendUnavailable(res: Response, retryAfterSeconds: number): void {
  res.set("Retry-After", String(retryAfterSeconds));
  sendError(res, "server_unavailable");
}

/** Answers 500 with an id in `X-Request-Id` under which the log holds the reason. */
export function sendUnexpected(res: Response, log: Log, fields: object): void {
  const requestId = randomUUID();
  log.error({ requestId, ...fields }, "a request ended with an unexpected result");
  res.set("X-Request-Id", requestId);
  sendError(res, "unexpected_result");
}

import type { IncomingMessage } from "node:http";
import type { ErrorRequestHandler, Request, Response } from "express";
import { check, int, object } from "../../../shared/guard.ts";
import type { ServiceErrorCode } from "../../../shared/public/words.ts";
import type { Log } from "../../platform/log.ts";
import { type Answer, type allow, json, retryAfter } from "./answer.ts";
import { ERROR_MESSAGES } from "./error-messages.ts";
import { requestIdOf } from "./request-id.ts";

/** Every error of the public service with its HTTP status. The body is `ErrorBody`. */
export const ERRORS = {
  bad_request: 400,
  invalid_body: 400,
  missing_username: 400,
  invalid_name: 400,
  not_linked: 400,
  invalid_query: 400,
  invalid_idempotency_key: 400,
  invalid_label: 400,
  missing_session: 401,
  origin_not_allowed: 403,
  forbidden: 403,
  not_found: 404,
  not_whitelisted: 404,
  not_banned: 404,
  no_request: 404,
  not_muted: 404,
  unknown_session: 404,
  unknown_server: 404,
  unknown_player: 404,
  method_not_allowed: 405,
  ambiguous_name: 409,
  too_many_bans: 409,
  idempotency_key_in_use: 409,
  player_offline: 422,
  idempotency_key_reused: 422,
  host_not_allowed: 421,
  upgrade_required: 426,
  rate_limited: 429,
  unexpected_result: 500,
  admin_api_disabled: 503,
  server_unavailable: 503,
  too_many_connections: 503,
} as const satisfies Record<ServiceErrorCode, number>;

/** Status of errors about a field of the body, which differs from that for the path or the query. */
export const FIELD_ERRORS = { unknown_server: 400 } as const satisfies Partial<
  Record<ServiceErrorCode, number>
>;
export type FieldError = keyof typeof FIELD_ERRORS;

/** Errors with the time to retry. */
export const RETRIABLE = ["rate_limited", "server_unavailable", "too_many_connections"] as const;

type RequiredHeaders = Record<(typeof RETRIABLE)[number], ReturnType<typeof retryAfter>> & {
  method_not_allowed: ReturnType<typeof allow>;
};
/** The headers that an error has to have. */
type HeadersOf<C extends ServiceErrorCode> = C extends keyof RequiredHeaders ? [RequiredHeaders[C]] : [];

/** An error as it is answered, with its code for the log. */
export interface ErrorAnswer<C extends ServiceErrorCode = ServiceErrorCode> extends Answer {
  code: C;
}

/** The fault and the expected value, in one sentence, and the field of the body, query or path at fault. */
export interface ErrorDetail {
  message?: string;
  field?: string;
}

/** The body of every error that has one. */
interface ErrorBody<C extends ServiceErrorCode> extends ErrorDetail {
  error: C;
  message: string;
}

const errorBody = <C extends ServiceErrorCode>(
  error: C,
  { message = ERROR_MESSAGES[error], field }: ErrorDetail,
): ErrorBody<C> => ({ error, message, ...(field !== undefined && { field }) });

/** An error with the message of its code. */
export const errorAnswer = <C extends ServiceErrorCode>(code: C, ...headers: HeadersOf<C>): ErrorAnswer<C> =>
  errorWith(code, {}, ...headers);

/** An error with another message, or about one field. */
export function errorWith<C extends ServiceErrorCode>(
  code: C,
  detail: ErrorDetail,
  ...[headers]: HeadersOf<C>
): ErrorAnswer<C> {
  const upgrade =
    code === "upgrade_required"
      ? { Upgrade: "websocket", Connection: "Upgrade", "Sec-WebSocket-Version": 13 }
      : {};
  return { code, ...json(errorBody(code, detail), ERRORS[code], { ...upgrade, ...headers }) };
}

/** 413 for a body over the limit. */
export const bodyTooLarge = (limitBytes: number): ErrorAnswer<"invalid_body"> => ({
  ...errorWith("invalid_body", { message: `The body is larger than ${limitBytes} bytes.` }),
  status: 413,
});

/** The error of a guard of a body, such as `body.uuid: expected text of 1 to 64 characters`, as a detail of `invalid_body`. */
export function bodyDetail(fault: string): ErrorDetail {
  const [path = "", expected = ""] = fault.split(": expected ");
  const field = path.split(".").slice(1).join(".");
  return field === ""
    ? { message: `The body must be ${expected}.` }
    : { field, message: `\`${field}\` must be ${expected}.` };
}

/** An error about a field of the body. */
export interface FieldErrorAnswer<C extends FieldError> extends Answer {
  fieldCode: C;
}

export const fieldErrorAnswer = <C extends FieldError>(
  code: C,
  detail: ErrorDetail & { field: string },
): FieldErrorAnswer<C> => ({
  fieldCode: code,
  ...json(errorBody(code, detail), FIELD_ERRORS[code]),
});

/** 500 for a request, whose id finds the reason in the log. */
export function unexpected(log: Log, req: IncomingMessage, fields: object): ErrorAnswer<"unexpected_result"> {
  log.error({ requestId: requestIdOf(req), ...fields }, "A request ended with an unexpected result");
  return errorAnswer("unexpected_result");
}

/** How often the game reports, in milliseconds. */
interface Refresh {
  metricsRefreshInterval: number;
}

export const retryAfterRefresh = ({ metricsRefreshInterval }: Refresh): ReturnType<typeof retryAfter> =>
  retryAfter(Math.max(1, Math.ceil(metricsRefreshInterval / 1000)));

/** No game server is online, or nothing can be stored. */
export const unavailable = (api: Refresh): ErrorAnswer<"server_unavailable"> =>
  errorAnswer("server_unavailable", retryAfterRefresh(api));

const clientError = object({ status: int(400, 499) });

/**
 * Answers errors of handlers and of the body reader. `refuse` answers a faulty request with the status that Express gives; `fail`
 * answers all other errors.
 */
export function errorHandler(
  refuse: (res: Response, status: number) => void,
  fail: (res: Response, error: unknown, req: Request) => void,
): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    if (res.headersSent) return next(error);
    const found = check(clientError, error);
    if ("value" in found) refuse(res, found.value.status);
    else fail(res, error, req);
  };
}

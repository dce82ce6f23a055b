// Lists of words without a guard: the client has them, and nothing else of what is declared here, in its bundle.

/** Events that are kept for those who were away; readers who pick nothing get these. */
export const KEPT_EVENTS = ["chat", "join", "leave", "death", "server"] as const;
export type KeptEvent = (typeof KEPT_EVENTS)[number];

/** Type of a message on `/chat`. */
export const MESSAGE_TYPES = ["CHAT", "PING", "PONG", "VERIFICATION", "EXCEPTION"] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** Why the service did not take what a socket sent. */
export const EXCEPTIONS = ["bad message", "rate limited", "not allowed", "server unavailable"] as const;
export type Exception = (typeof EXCEPTIONS)[number];

/** Every code that the service answers an error with. */
export const ERROR_CODES = [
  "bad_request",
  "invalid_body",
  "missing_username",
  "invalid_name",
  "not_linked",
  "invalid_query",
  "missing_session",
  "origin_not_allowed",
  "forbidden",
  "not_found",
  "not_whitelisted",
  "not_banned",
  "no_request",
  "unknown_session",
  "unknown_server",
  "unknown_player",
  "method_not_allowed",
  "ambiguous_name",
  "too_many_bans",
  "player_offline",
  "host_not_allowed",
  "upgrade_required",
  "rate_limited",
  "unexpected_result",
  "admin_api_disabled",
  "server_unavailable",
  "too_many_connections",
] as const;
export type ServiceErrorCode = (typeof ERROR_CODES)[number];

/** Spans of time that `GET /history` tells of: the last hour, and days. */
export const HISTORY_SPANS = ["1h", "1d", "7d", "30d", "365d"] as const;
export type HistorySpan = (typeof HISTORY_SPANS)[number];

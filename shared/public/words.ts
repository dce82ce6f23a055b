// Lists of words without a guard. The bundle of the client contains only these.

/** Events that are stored, and sent by default. */
export const STORED_EVENTS = ["chat", "join", "leave", "death", "server"] as const;
export type StoredEventType = (typeof STORED_EVENTS)[number];

/** Types of messages on `/chat`. */
export const MESSAGE_TYPES = ["CHAT", "PING", "PONG", "VERIFICATION", "EXCEPTION"] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** Why the service rejected a message of a WebSocket. */
export const EXCEPTIONS = ["bad message", "rate limited", "not allowed", "server unavailable"] as const;
export type Exception = (typeof EXCEPTIONS)[number];

/** Every error code of the service. */
export const ERROR_CODES = [
  "bad_request",
  "invalid_body",
  "missing_username",
  "invalid_name",
  "not_linked",
  "invalid_query",
  "invalid_idempotency_key",
  "invalid_label",
  "missing_session",
  "origin_not_allowed",
  "forbidden",
  "not_found",
  "not_whitelisted",
  "not_banned",
  "no_request",
  "not_muted",
  "unknown_session",
  "unknown_server",
  "unknown_player",
  "method_not_allowed",
  "ambiguous_name",
  "too_many_bans",
  "idempotency_key_in_use",
  "player_offline",
  "idempotency_key_reused",
  "host_not_allowed",
  "upgrade_required",
  "rate_limited",
  "unexpected_result",
  "admin_api_disabled",
  "server_unavailable",
  "too_many_connections",
] as const;
export type ServiceErrorCode = (typeof ERROR_CODES)[number];

/** What an admin key can allow. */
export const SCOPES = [
  "whitelist:read",
  "whitelist:write",
  "links:read",
  "players:read",
  "players:kick",
  "chat:announce",
  "bans:read",
  "bans:write",
  "chat:mute",
  "audit:read",
] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes of the key in `admin-api-key`, and of a new key by default. They stay as they are in later versions. */
export const USUAL_SCOPES: readonly Scope[] = ["whitelist:read", "whitelist:write", "links:read"];

/** Scopes that a player can have without a key: none of them shows addresses, or decides who may join. */
export const MODERATOR_SCOPES = [
  "players:kick",
  "chat:announce",
  "bans:read",
  "bans:write",
  "chat:mute",
] as const satisfies readonly Scope[];
export type ModeratorScope = (typeof MODERATOR_SCOPES)[number];

/** Time spans of `GET /history`: the last hour, and days. */
export const HISTORY_SPANS = ["1h", "1d", "7d", "30d", "365d"] as const;
export type HistorySpan = (typeof HISTORY_SPANS)[number];

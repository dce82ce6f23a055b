import type { ServiceErrorCode } from "../../../shared/public/words.ts";

/** The `message` of each error where a route says nothing more exact, which is also its meaning in the documents. */
export const ERROR_MESSAGES: Record<ServiceErrorCode, string> = {
  bad_request: "The address of the request is not a valid path or URL.",
  invalid_body:
    "The body must be a JSON object in UTF-8 (PowerShell 5.1 sends Latin-1), sent as `application/json`, with fields of the described types and lengths.",
  missing_username: "`username` is required: the exact name of an online player.",
  invalid_name:
    "`playerName` is missing, blank or not a name that this call accepts, or `uuid` is not a UUID. To ban or unban, send exactly one of them.",
  not_linked: "This session has no accepted link to a player.",
  invalid_query:
    "A query parameter is unknown, sent twice or has an invalid value. `_` is ignored, so that pages can bypass caches with it.",
  invalid_idempotency_key:
    "`Idempotency-Key` must be a text of 1 to 128 ASCII characters, in quotes unless it is of letters, digits and `._:+/=-`.",
  invalid_label:
    "`label` must be the eight letters of a browser in `GET /events`, the eight characters that the game shows for it, or `--------`.",
  missing_session:
    "The session cookie is missing or not a UUID, or two cookies name different sessions. Call `GET /initialize` first.",
  origin_not_allowed:
    "The `Origin` is neither the service's own nor listed in `modules.api.cors-origins`. Nothing was done.",
  forbidden:
    "The admin key or the moderator lacks the scope for this call, or is not for this game server. Nothing was done.",
  host_not_allowed:
    "The service does not answer to the name in `Host`; `modules.api.hosts` lists the names. Nothing was done.",
  not_found: "There is no such path, or the feature that it belongs to is turned off.",
  not_whitelisted: "The name is not on the whitelist.",
  not_banned: "The player has no ban here.",
  not_muted: "No browser with this label is muted.",
  unknown_server: "There is no game server with this name. `GET /servers` lists them.",
  unknown_player: "There is no known player with this uuid. Hidden and forgotten players are not listed.",
  no_request: "This session has no pending link request.",
  unknown_session: "No session with this id has requested a link, or it is forgotten.",
  method_not_allowed: "The path does not support this method. `Allow` lists those that it supports.",
  ambiguous_name: "Two players have had this name. Send the `uuid` instead.",
  too_many_bans: "The ban list is full, with 10,000 bans. Unban players to make room.",
  idempotency_key_in_use:
    "The first request with this `Idempotency-Key` is still running. Try again in a few seconds.",
  player_offline: "No online player has exactly this name, including capital letters.",
  idempotency_key_reused:
    "This `Idempotency-Key` was sent with another body before. Use a new one for each action.",
  upgrade_required: "This path is a WebSocket. Open it with a WebSocket handshake.",
  rate_limited: "Too many requests. Try again after the seconds in `Retry-After`.",
  unexpected_result:
    "The game failed or did not answer within 10 seconds, or the service has an error. `X-Request-Id` finds the reason in its log.",
  admin_api_disabled: "No admin key is configured, neither `admin-api-key` nor one of `admin-keys`.",
  server_unavailable:
    "No game server is connected and reporting, or the storage cannot be reached. Try again after the seconds in `Retry-After`.",
  too_many_connections:
    "The limit of connections, WebSockets or event streams is reached, for this address or in total. Try again after the seconds in `Retry-After`.",
};

import type { ServiceErrorCode } from "../../../shared/public/words.ts";

/** What each error says, for people who read the description. */
export const MEANINGS: Record<ServiceErrorCode, string> = {
  bad_request: "The address of the request cannot be read.",
  invalid_body:
    "The body is no JSON object in UTF-8 (such as one in Latin-1, which PowerShell 5.1 sends), was not sent as `application/json`, or a field has the wrong type or is too long.",
  missing_username: "`username` is missing, null or blank.",
  invalid_name:
    "`playerName` is missing, null, blank or does not match the pattern. To be taken off the list, it has to be on it or to match. To be sent away, it has to be a text that is not blank. Of a ban: there is neither a known or possible name nor a UUID, or both.",
  not_linked: "The session has no accepted link.",
  invalid_query:
    "A parameter of the query is not known, or its value is not. `_` is ignored: pages keep caches away with it.",
  missing_session:
    "The session cookie is missing or no UUID: call `GET /initialize` first. Or there are two that name different sessions.",
  origin_not_allowed:
    "The `Origin` is neither listed nor the service's own; `/session/forward` takes any. Nothing was done.",
  forbidden: "The admin key is not for this call, or not for this game server. Nothing was done.",
  host_not_allowed:
    "The service does not answer to the name in `Host`, but for `/healthz` and `/readyz`. Nothing was done.",
  not_found:
    "There is no such path, or what it belongs to is off: the chat of the web, the web console, or signing in; or the site, or the sign-in of this browser, is not there or over.",
  not_whitelisted: "The name is not on the whitelist.",
  not_banned: "No ban is listed of this player, or for this game server.",
  unknown_server: "No game server behind this service has this name.",
  unknown_player:
    "Nobody of this id has been here, or does not want to be in lists, or is forgotten, or it is no UUID.",
  unknown_session: "No session of this id has asked for a link, or it is forgotten, or it is no UUID.",
  method_not_allowed: "The path does not know this method; `Allow` names those it knows.",
  ambiguous_name: "Two players have had this name: say which of them by `uuid`.",
  too_many_bans: "As many bans as there may be are listed, 10,000: lift some that are not needed any more.",
  player_offline: "No online player has exactly this name.",
  upgrade_required: "This path is a WebSocket, and the request was no handshake of one.",
  rate_limited:
    "Too many requests, or this player may not be asked now. `Retry-After` says when to try again, in seconds.",
  unexpected_result: "The game failed or did not answer within 10 s, or the service has a fault.",
  admin_api_disabled: "No admin key is configured, neither `admin-api-key` nor one of `admin-keys`.",
  server_unavailable:
    "No game server is connected, it has stopped reporting, or links cannot be read or stored.",
  too_many_connections:
    "No more connections are taken, or no more WebSockets or event streams, of anybody or of this address.",
};

import type { Schema } from "../../../shared/public/schema-guards.ts";
import { SCHEMAS } from "../../../shared/public/schemas.ts";
import { whitelistRequest } from "../../../shared/public/whitelist.ts";
import type { Config } from "../../config/settings.ts";
import { size } from "../../kernel/http/description.ts";
import { NAME_PATTERNS, type WhitelistNames } from "../whitelist/rules.ts";

/** Version of the API contract. It stays the same while paths have no version. */
export const CONTRACT_VERSION = "0.1.0-SNAPSHOT";

export const LICENCE = { name: "MIT" };

/** Introduction of the API description, in Markdown. */
export function overview({ limits, publicOrigins }: Config["modules"]["api"]): string {
  return [
    "Status, players, events, linking and moderation of a game server. The chat is a WebSocket at `/chat`, described in `/asyncapi.json`.",
    "Bodies are JSON in UTF-8. Paths have no version and are case-sensitive, without a trailing slash. `HEAD` works wherever `GET` does. `OPTIONS` returns 204.",
    'An error is `{"error": code, "message": text}`, with `field` if exactly one field, parameter or part of the path is wrong. Act on the code: the words of the message may change. There are two exceptions: a second link request gets 409 with `{"status":"already_pending"}`, and 401 for a missing or wrong key has an empty body. The session or the key is checked before the body. An unknown path returns 404 `not_found`. A method that the path does not support returns 405 `method_not_allowed` with `Allow`. In this document, `x-other-answers` describes both. Malformed requests get 400, 408 or 431 with an empty body, and the connection is closed.',
    `A request with an \`Origin\` that is neither listed in the configuration nor the service's own gets 403 \`origin_not_allowed\`. Listed origins get \`Access-Control-Allow-Origin\` and can send the cookie. ${publicOrigins === "*" ? "Pages of any other origin can read everything that needs neither cookie nor key: they get `Access-Control-Allow-Origin: *`. " : ""}One address can send ${limits.requestsPerMinute} requests a minute; more get 429 \`rate_limited\`. Over the connection limit, every path except \`/healthz\` returns 503 \`too_many_connections\`. Request bodies are limited to ${size(limits.bodyBytes)}.`,
    "Every response has `Cache-Control`, `Vary` with `Origin`, `X-Content-Type-Options: nosniff` and `X-Request-Id`. That is the id of the request in the log of the service: one that a trusted proxy sent, else a new one. Responses to requests that count towards the rate limit also have `RateLimit` and `RateLimit-Policy`. Most responses over 1 KiB are compressed with gzip for clients that accept it; `Vary` then includes `Accept-Encoding`.",
    "`/`, `/manifest.webmanifest`, `/favicon.ico` and everything below `/assets/` belong to the web console and may change with every version. `/client.js` is the client for web pages, an ES module. In this document, `x-private-paths` lists all of these.",
  ].join("\n\n");
}

/** Every public schema, for a whitelist that accepts these names. */
export const declared = (names: WhitelistNames): typeof SCHEMAS => ({
  ...SCHEMAS,
  WhitelistRequest: whitelistRequest(NAME_PATTERNS[names]),
});

/** The JSON Schemas of these. */
export const schemasFor = (names: WhitelistNames): Record<string, Schema> =>
  Object.fromEntries(Object.entries(declared(names)).map(([name, { schema }]) => [name, schema]));

import type { Schema } from "../../../shared/public/schema-guards.ts";
import { SCHEMAS } from "../../../shared/public/schemas.ts";
import { whitelistRequest } from "../../../shared/public/whitelist.ts";
import type { Config } from "../../config/settings.ts";
import { size } from "../../kernel/http/description.ts";
import { NAME_PATTERNS, type WhitelistNames } from "../whitelist/rules.ts";

/** Version of what the interface was first described as. It holds word for word as long as paths carry none. */
export const CONTRACT_VERSION = "0.1.0-SNAPSHOT";

export const LICENCE = { name: "MIT" };

/** What the description says of the calls as a whole, in Markdown. */
export function overview({ limits }: Config["modules"]["api"]): string {
  return [
    "Status, players, linking and the whitelist of a game server. The chat is a WebSocket at `/chat`, described in `/asyncapi.json`.",
    "Bodies are JSON in UTF-8. Paths carry no version and are exact: no slash at the end, case counts. `HEAD` works wherever `GET` does, with the same status and headers and no body. `OPTIONS` answers 204.",
    'An error is `{"error": code}`, but for two: 409 carries `{"status":"already_pending"}`, and 401 for a missing or wrong key is empty. A path that does not exist gets 404 `not_found`, a method that the path does not know 405 `method_not_allowed` with `Allow`; `x-other-answers` holds them. What is no HTTP gets 400, 408 or 431 with an empty body, and the connection is closed.',
    `Any request may be answered 403 \`origin_not_allowed\` or 429 \`rate_limited\`, and any but \`/healthz\` 503 \`too_many_connections\` while there are too many connections: an \`Origin\` has to be listed in the configuration or be the service's own, and one address may send ${limits.requestsPerMinute} requests a minute. A listed origin finds itself in \`Access-Control-Allow-Origin\` and may send the cookie. A request without an \`Origin\` is let through. A body may have ${size(limits.bodyBytes)}.`,
    "Every answer has `Cache-Control`, `Vary` with `Origin`, and `X-Content-Type-Options: nosniff`. Most that have more than 1 KiB are compressed for whoever takes gzip: `Vary` has `Accept-Encoding` then.",
    "`/`, `/manifest.webmanifest`, `/favicon.ico` and everything below `/assets/` belong to the web console. They are private to it, not described here, and may change with every version; `x-private-paths` lists them, and `/client.js`: the client for pages, as an ES module of the version that the service has.",
  ].join("\n\n");
}

/** Every declared object of a service that takes these names on its whitelist. */
export const declared = (names: WhitelistNames): typeof SCHEMAS => ({
  ...SCHEMAS,
  WhitelistRequest: whitelistRequest(NAME_PATTERNS[names]),
});

/** Their schemas. */
export const schemasFor = (names: WhitelistNames): Record<string, Schema> =>
  Object.fromEntries(Object.entries(declared(names)).map(([name, { schema }]) => [name, schema]));

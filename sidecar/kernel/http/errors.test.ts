import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Ask } from "../../../test/helpers/client.ts";
import { SESSION, serving } from "../../../test/helpers/serving.ts";
import { keyOf, keysOf } from "../../../test/helpers/sidecar.ts";

const KEYS = [
  keyOf("moderator", ["bans:write", "players:kick", "chat:announce", "whitelist:write"]),
  keyOf("reader", ["bans:read"]),
];
const headersOf = (key: string): Record<string, string> => ({ "X-Service-Api-Key": `key of the ${key}` });
const headers = headersOf("moderator");
const post = (body: unknown): Ask => ({ method: "POST", headers, body });
const UUID = "00000000-0000-4000-8000-00000000000a";

const side = serving();
beforeEach(() =>
  side.api("known-players: {show: everybody}, limits: {body-bytes: 1024}", ["Steve"], {
    env: keysOf(...KEYS),
  }),
);

describe("an error says what is wrong, what is expected, and in which field", () => {
  it.each<[string, Ask, string, string | undefined, RegExp]>([
    [
      "/known-players?limit=0",
      {},
      "invalid_query",
      "limit",
      /`limit` must be a whole number from 1 to 200\./,
    ],
    ["/known-players?sort=age", {}, "invalid_query", "sort", /one of last-seen, /],
    ["/known-players?name=S&sort=kills", {}, "invalid_query", "sort", /beside `name`/],
    ["/known-players?after=x", {}, "invalid_query", "after", /the `next` of a response/],
    [
      "/known-players?size=3",
      {},
      "invalid_query",
      "size",
      /no query parameter `size`; expected `sort`, `limit`/,
    ],
    ["/known-players?=3", {}, "invalid_query", undefined, /no query parameter ``;/],
    [
      `/known-players?${"x".repeat(100)}=3`,
      {},
      "invalid_query",
      "x".repeat(64),
      /no query parameter `x{64}`;/,
    ],
    [`/known-players/${UUID}?size=3`, {}, "invalid_query", "size", /no query parameter `size`\./],
    ["/known-players?limit=1&limit=2", {}, "invalid_query", "limit", /must be sent once/],
    ["/history?for=2h", {}, "invalid_query", "for", /one of 1h, 1d, 7d, 30d, 365d/],
    ["/badge.svg?label=", {}, "invalid_query", "label", /one line of 1 to/],
    ["/events?format=xml", {}, "invalid_query", "format", /`json`/],
    ["/events?types=chats", {}, "invalid_query", "types", /a list of chat, join/],
    ["/events?format=json&limit=501", {}, "invalid_query", "limit", /1 to 500/],
    ["/events?server=nether", {}, "invalid_query", "server", /GET \/servers/],
    ["/events?heartbeat=rare", {}, "invalid_query", "heartbeat", /`often`/],
    [
      "/link-player",
      { method: "POST", headers: SESSION, body: { username: 1 } },
      "invalid_body",
      "username",
      /a string or null/,
    ],
    [
      "/link-player",
      { method: "POST", headers: SESSION, body: {} },
      "missing_username",
      "username",
      /exact name/,
    ],
    [
      "/link-player",
      { method: "POST", headers: SESSION, body: [] },
      "invalid_body",
      undefined,
      /must be a JSON object/,
    ],
    [
      "/link-player",
      { method: "POST", headers: SESSION, body: "{" },
      "invalid_body",
      undefined,
      /not valid JSON/,
    ],
    ["/link-player", { method: "POST", headers: SESSION }, "invalid_body", undefined, /Content-Type/],
    [
      "/link-player",
      { method: "POST", headers: SESSION, body: { username: "x".repeat(2_000) } },
      "invalid_body",
      undefined,
      /larger than 1024 bytes/,
    ],
    [
      "/link-player",
      { method: "POST", headers: SESSION, body: { username: "Steve", server: "nether" } },
      "unknown_server",
      "server",
      /GET \/servers/,
    ],
    ["/kick", post({ playerName: " " }), "invalid_name", "playerName", /exact name of an online player/],
    ["/kick", post({ playerName: "Steve", reason: 1 }), "invalid_body", "reason", /at most 60 characters/],
    ["/announce", post({ content: "" }), "invalid_body", "content", /1 to 256 characters/],
    ["/bans", post({}), "invalid_name", undefined, /exactly one of `playerName` and `uuid`/],
    ["/bans", post({ playerName: "a", uuid: UUID }), "invalid_name", undefined, /exactly one/],
    ["/bans", post({ uuid: "a" }), "invalid_name", "uuid", /must be a UUID/],
    ["/bans", post({ playerName: "" }), "invalid_name", "playerName", /not blank/],
    ["/bans", post({ playerName: "-" }), "invalid_name", "playerName", /cannot be a gamertag/],
    ["/bans", post({ playerName: "a", for: "7" }), "invalid_body", "for", /`30m`, `12h` or `7d`/],
    ["/bans", post({ playerName: "a", reason: [] }), "invalid_body", "reason", /60 characters/],
    ["/bans", { method: "DELETE", headers, body: { uuid: UUID } }, "not_banned", "uuid", /no ban/],
    ["/whitelist", post({ playerName: "Ari Vale" }), "invalid_name", "playerName", /a-zA-Z0-9_/],
    [
      "/whitelist",
      { method: "DELETE", headers, body: {} },
      "invalid_name",
      "playerName",
      /must be a name on the whitelist/,
    ],
    ["/bans", post({ playerName: "a", for: "0d" }), "invalid_body", "for", /longer than zero/],
    ["/history?foo=1", {}, "invalid_query", "foo", /; expected `for`\.$/],
    ["/events?foo=1", {}, "invalid_query", "foo", /`heartbeat`, `server`, `types`\.$/],
    ["/badge.svg?foo=1", {}, "invalid_query", "foo", /; expected `label`\.$/],
    [
      "/bans?foo=1",
      { headers: headersOf("reader") },
      "invalid_query",
      "foo",
      /; expected `limit`, `after`\.$/,
    ],
    [
      "/bans",
      { method: "POST", headers: headersOf("reader"), body: {} },
      "forbidden",
      undefined,
      /scope `bans:write`/,
    ],
    ["/servers/nether/status", {}, "unknown_server", "server", /GET \/servers/],
    [`/known-players/${UUID}`, {}, "unknown_player", "uuid", /no known player/],
    ["/linked-player", {}, "missing_session", undefined, /GET \/initialize/],
    ["/nothing", {}, "not_found", undefined, /no such path/],
    ["/status", { method: "POST" }, "method_not_allowed", undefined, /`Allow`/],
    ["/chat", {}, "upgrade_required", undefined, /WebSocket/],
  ])("%s %j: %s %s", async (path, init, error, field, words) => {
    const { json } = await side.ask(path, init);
    const message = expect.stringMatching(words);
    expect(json).toEqual({ error, message, ...(field !== undefined && { field }) });
  });
});

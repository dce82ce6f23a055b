import type { Schema } from "../../../shared/public/schema-guards.ts";
import type { SchemaName } from "../../../shared/public/schemas.ts";
import type { ServiceErrorCode } from "../../../shared/public/words.ts";
import type { Config } from "../../config/settings.ts";
import { RETRIABLE } from "./errors.ts";
import { REQUEST_ID } from "./request-id.ts";

export type ApiSettings = Config["modules"]["api"];

export type PerSettings<T extends string> = T | ((api: ApiSettings) => T);

export const textFor = (text: PerSettings<string>, api: ApiSettings): string =>
  typeof text === "string" ? text : text(api);

/** Sections of the documents. */
export const TAGS = {
  "Game server": "Status, players and history. Only known players may need a key.",
  Linking: "Browser sessions and the players they are linked to.",
  "Signing in": "Other sites find out which player a visitor is, if the player agrees.",
  Whitelist: "The game's allowlist, for administrators.",
  Moderation: "Kicks, bans, mutes, announcements and the audit log, for moderators.",
  Chat: "The WebSocket between the game and browsers.",
  Webhooks: "Events that the service sends to addresses in its configuration.",
  Service: "Health checks, settings of the web console, and these documents.",
} as const;
export type TagName = keyof typeof TAGS;

export const WITHOUT_GAME = "Works even when no game server is connected.";

export interface Example {
  summary: string;
  value: unknown;
}

export interface Parameter {
  name: string;
  in: "query" | "header" | "path";
  required: boolean;
  description: string;
  schema: Schema;
  example: unknown;
  /** lists are separated by commas */
  style?: "form";
  explode?: false;
}

/** An optional query parameter. */
export const queryParameter = (
  name: string,
  description: string,
  schema: Schema,
  example: unknown,
): Parameter => ({ name, in: "query", required: false, description, schema, example });

/** A path parameter. */
export const pathParameter = (name: string, description: string, example: string): Parameter => ({
  name,
  in: "path",
  required: true,
  description,
  schema: { type: "string" },
  example,
});

/** A body of another type than JSON. */
export interface TextBody {
  type: "image/svg+xml" | "text/html";
  description: string;
  example: Example;
}

/** An event of a stream: whether it has an id, and the schema of its data. */
export interface EventDescription {
  description: string;
  id: boolean;
  data: { $ref: string };
}

/** A response of a route that is not an error. */
export interface AnswerDescription {
  description: string;
  /** schema of the body; undefined: the body is empty */
  body?: SchemaName;
  /** schema of the body in another form that the query can request */
  otherBody?: SchemaName;
  headers?: readonly HeaderName[];
  /** without the headers of all other responses */
  bare?: true;
  /** events, if the body can also be a stream */
  stream?: Readonly<Record<string, EventDescription>>;
  text?: TextBody;
}
const TIMES: [name: string, ms: number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
  ["millisecond", 1],
];
const SIZES: [name: string, bytes: number][] = [
  ["MiB", 1024 ** 2],
  ["KiB", 1024],
];

/** A duration in words, in the largest unit that gives a whole number: `2 minutes`. */
export function time(ms: number): string {
  const [name, unit] = TIMES.find(([, unit]) => ms >= unit && ms % unit === 0) ?? ["millisecond", 1];
  const count = ms / unit;
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

/** A size in words, in the largest unit that gives a whole number: `16 KiB`. */
export function size(bytes: number): string {
  const [name, unit] = SIZES.find(([, unit]) => bytes >= unit && bytes % unit === 0) ?? ["bytes", 1];
  return `${bytes / unit} ${name}`;
}

export interface Header {
  description: string;
  /** whether every response of this status has it */
  required: boolean;
  schema: Schema;
  example: string | number;
}

export interface Reference {
  $ref: string;
}

/** Not in `HEADERS`, since no described response has it. */
export const ALLOW: Header = {
  description: "Methods that the path supports.",
  required: true,
  schema: { type: "string", pattern: "^(GET, HEAD, )?(POST, )?(DELETE, )?OPTIONS$" },
  example: "GET, HEAD, OPTIONS",
};

/** The session cookie as `GET /initialize` sets it. */
export const cookieExample = (name: string, maxAgeSeconds: number): string =>
  `${name}=faa3b7a4-83ac-4f2a-b301-e28f85630885; Max-Age=${maxAgeSeconds}; Path=/; ` +
  "Expires=Sat, 31 Jan 2026 00:00:00 GMT; HttpOnly; SameSite=Strict";

/** Response headers, by name. */
export const HEADERS = {
  "Cache-Control": {
    description:
      "`no-store` (for a stream `no-store, no-transform`), `no-cache` (check for changes each time), or the number of seconds for which any cache can keep the response.",
    required: true,
    schema: { type: "string", pattern: "^(no-store(, no-transform)?|no-cache|public, max-age=\\d+)$" },
    example: "no-store",
  },
  ETag: {
    description: "Send it in `If-None-Match` to get 304 while nothing has changed.",
    required: true,
    schema: { type: "string", pattern: '^"[^"]+"$' },
    example: '"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
  },
  "Set-Cookie": {
    description: "The session cookie: for a new session, and each time for a session with an accepted link.",
    required: false,
    schema: { type: "string", pattern: "; HttpOnly; (Secure; )?SameSite=Strict$" },
    example: cookieExample("website_user_uuid", 2_592_000),
  },
  "Retry-After": {
    description: "Seconds after which to try again.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 5,
  },
  Link: {
    description:
      'The next page, where one was asked for and there is more: `<?limit=...&after=...>; rel="next"` (RFC 8288).',
    required: false,
    schema: { type: "string", pattern: '^<\\?limit=\\d+&after=[\\w-]+>; rel="next"$' },
    example: '<?limit=50&after=Ikhlcm9icmluZSI>; rel="next"',
  },
  "X-Player-Uuid": {
    description: "The player, as in `PlayerData`.",
    required: true,
    schema: { type: "string", format: "uuid" },
    example: "1c3f6a52-8a0e-5d0a-9d53-6d5f0a1b2c3d",
  },
  "X-Player-Name": {
    description: "The player's most recent name: UTF-8, percent-encoded.",
    required: true,
    schema: { type: "string", pattern: "^[\\w!~*'().%-]+$" },
    example: "Steve",
  },
  "X-Request-Id": {
    description:
      "Id of the request in the log of the service: the one that a trusted proxy sent in this header, else a new UUID.",
    required: true,
    schema: { type: "string", pattern: REQUEST_ID },
    example: "3f1c2f4e-8a55-4c7e-9d0a-5a1b1f6f7c11",
  },
  RateLimit: {
    description:
      "Where the request was counted for its address: how many requests are left (`r`), and in how many seconds all are (`t`), as draft-ietf-httpapi-ratelimit-headers describes it.",
    required: false,
    schema: { type: "string", pattern: '^"requests";r=\\d+;t=\\d+$' },
    example: '"requests";r=2998;t=1',
  },
  "RateLimit-Policy": {
    description: "Beside `RateLimit`: how many requests (`q`) an address may send in how many seconds (`w`).",
    required: false,
    schema: { type: "string", pattern: '^"requests";q=\\d+;w=\\d+$' },
    example: '"requests";q=3000;w=60',
  },
  "Cross-Origin-Resource-Policy": {
    description: "Allows pages with `Cross-Origin-Embedder-Policy` to show it.",
    required: true,
    schema: { type: "string", const: "cross-origin" },
    example: "cross-origin",
  },
  Upgrade: {
    description: "The protocol that the connection must switch to, or has switched to.",
    required: true,
    schema: { type: "string", const: "websocket" },
    example: "websocket",
  },
} satisfies Record<string, Header>;
type HeaderName = keyof typeof HEADERS;

/** Headers that every described answer may have. */
export const EVERY_ANSWER = ["Cache-Control", "RateLimit", "RateLimit-Policy", "X-Request-Id"] as const;

/** References to headers by name. */
export const headers = (...names: HeaderName[]): Record<string, Reference> =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));

/** Headers of an error response that can have any of these codes, all of one status. */
export function errorHeaders(codes: readonly ServiceErrorCode[]): Record<string, Header | Reference> {
  const again = RETRIABLE.filter(code => codes.includes(code));
  const whenAgain = again.map(code => `\`${code}\``).join(" and ");
  const retry = HEADERS["Retry-After"];
  const description = `With ${whenAgain}: ${retry.description.toLowerCase()}`;
  const sometimes = { "Retry-After": { ...retry, required: false, description } };
  return {
    ...headers(...EVERY_ANSWER),
    ...(again.length === codes.length ? headers("Retry-After") : again.length > 0 ? sometimes : {}),
    ...(codes.includes("method_not_allowed") ? { Allow: ALLOW } : {}),
    ...(codes.includes("upgrade_required") ? headers("Upgrade") : {}),
  };
}

import type { Schema } from "../../../shared/public/schema-guards.ts";
import type { SchemaName } from "../../../shared/public/schemas.ts";
import type { ServiceErrorCode } from "../../../shared/public/words.ts";
import type { Config } from "../../config/settings.ts";
import { ERRORS, RETRIABLE } from "./errors.ts";

export type ApiSettings = Config["modules"]["api"];

export type PerSettings<T extends string> = T | ((api: ApiSettings) => T);

export const textFor = (text: PerSettings<string>, api: ApiSettings): string =>
  typeof text === "string" ? text : text(api);

/** Sections of the documents. */
export const TAGS = {
  "Game server": "What anybody may see.",
  Linking: "A browser session and the player to whom it is linked.",
  "Signing in": "Other sites ask who somebody is, and the player says so.",
  Whitelist: "For administrators: the game's own allowlist.",
  Moderation: "For moderators: what they do in the game.",
  Chat: "The WebSocket.",
  Webhooks: "What the service sends to addresses of its owner's choice.",
  Service: "Whether it is well, and how it is described.",
} as const;
export type TagName = keyof typeof TAGS;

export const WITHOUT_GAME = "Answered without a game server too.";

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
  /** a list is written with commas */
  style?: "form";
  explode?: false;
}

/** A parameter of the query, which may be left out. */
export const queryParameter = (
  name: string,
  description: string,
  schema: Schema,
  example: unknown,
): Parameter => ({ name, in: "query", required: false, description, schema, example });

/** A part of the path. */
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

/** An event of a stream: whether it has an id, and what its line of data is. */
export interface EventDescription {
  description: string;
  id: boolean;
  data: { $ref: string };
}

/** An answer of a route that is no error. */
export interface AnswerDescription {
  description: string;
  /** schema of the body; none: the body is empty */
  body?: SchemaName;
  /** schema of the body in another form that can be asked for */
  otherBody?: SchemaName;
  headers?: readonly HeaderName[];
  /** without the headers of all other answers */
  bare?: true;
  /** events, where the body may also be a stream */
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

/** A time for people to read, in the largest unit that it is a whole number of: `2 minutes`. */
export function time(ms: number): string {
  const [name, unit] = TIMES.find(([, unit]) => ms >= unit && ms % unit === 0) ?? ["millisecond", 1];
  const count = ms / unit;
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

/** A size for people to read, likewise: `16 KiB`. */
export function size(bytes: number): string {
  const [name, unit] = SIZES.find(([, unit]) => bytes >= unit && bytes % unit === 0) ?? ["bytes", 1];
  return `${bytes / unit} ${name}`;
}

export interface Header {
  description: string;
  /** whether every answer of this status carries it */
  required: boolean;
  schema: Schema;
  example: string | number;
}

export interface Reference {
  $ref: string;
}

/** Not among `HEADERS`, since no described answer has it. */
export const ALLOW: Header = {
  description: "Methods that the path knows.",
  required: true,
  schema: { type: "string", pattern: "^(GET, HEAD, )?(POST, )?(DELETE, )?OPTIONS$" },
  example: "GET, HEAD, OPTIONS",
};

/** The session cookie as `GET /initialize` sets it. */
export const cookieExample = (name: string, maxAgeSeconds: number): string =>
  `${name}=faa3b7a4-83ac-4f2a-b301-e28f85630885; Max-Age=${maxAgeSeconds}; Path=/; ` +
  "Expires=Sat, 31 Jan 2026 00:00:00 GMT; HttpOnly; SameSite=Strict";

/** Headers of answers, by name. */
export const HEADERS = {
  "Cache-Control": {
    description:
      "`no-store` (of a stream `no-store, no-transform`), `no-cache` (ask each time whether it has changed), or for how many seconds everybody may keep the answer.",
    required: true,
    schema: { type: "string", pattern: "^(no-store(, no-transform)?|no-cache|public, max-age=\\d+)$" },
    example: "no-store",
  },
  ETag: {
    description: "Send it back in `If-None-Match` to get 304 while nothing has changed.",
    required: true,
    schema: { type: "string", pattern: '^"[^"]+"$' },
    example: '"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
  },
  "Set-Cookie": {
    description: "The session cookie: when one is made, and each time for a session with an accepted link.",
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
    description: "Names the line in the log of the service that has the reason.",
    required: true,
    schema: { type: "string", format: "uuid" },
    example: "3f1c2f4e-8a55-4c7e-9d0a-5a1b1f6f7c11",
  },
  "Cross-Origin-Resource-Policy": {
    description: "Lets pages show it that take nothing of other sites without this.",
    required: true,
    schema: { type: "string", const: "cross-origin" },
    example: "cross-origin",
  },
  Upgrade: {
    description: "What the connection has to be, or has become.",
    required: true,
    schema: { type: "string", const: "websocket" },
    example: "websocket",
  },
} satisfies Record<string, Header>;
type HeaderName = keyof typeof HEADERS;

/** References to headers by name. */
export const headers = (...names: HeaderName[]): Record<string, Reference> =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));

/** Headers of an error answer that may carry any of these codes, all of one status. */
export function errorHeaders(codes: readonly ServiceErrorCode[]): Record<string, Header | Reference> {
  const again = RETRIABLE.filter(code => codes.includes(code));
  const whenAgain = again.map(code => `\`${code}\``).join(" and ");
  const retry = HEADERS["Retry-After"];
  const description = `With ${whenAgain}: ${retry.description.toLowerCase()}`;
  const sometimes = { "Retry-After": { ...retry, required: false, description } };
  return {
    ...headers("Cache-Control"),
    ...(again.length === codes.length ? headers("Retry-After") : again.length > 0 ? sometimes : {}),
    ...(codes.some(code => ERRORS[code] === 500) ? headers("X-Request-Id") : {}),
    ...(codes.includes("method_not_allowed") ? { Allow: ALLOW } : {}),
    ...(codes.includes("upgrade_required") ? headers("Upgrade") : {}),
  };
}

import type { Schema } from "../../../shared/public/schema-guards.ts";
import type { ServiceErrorCode } from "../../../shared/public/words.ts";
import { ERRORS, RETRIABLE } from "./errors.ts";

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
    description: "Her name, in UTF-8 that is percent-encoded.",
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
export type HeaderName = keyof typeof HEADERS;

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

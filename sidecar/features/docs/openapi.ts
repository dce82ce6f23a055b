import type { Schema } from "../../../shared/public/schema-guards.ts";
import type { SchemaName } from "../../../shared/public/schemas.ts";
import { type Scope, type ServiceErrorCode, USUAL_SCOPES } from "../../../shared/public/words.ts";
import { PRODUCT_VERSION } from "../../../shared/version.ts";
import {
  ALLOW,
  type AnswerDescription,
  type ApiSettings,
  cookieExample,
  EVERY_ANSWER,
  type EventDescription,
  type Example,
  errorHeaders,
  HEADERS,
  type Header,
  headers,
  type Parameter,
  pathParameter,
  type Reference,
  TAGS,
  type TextBody,
  textFor,
} from "../../kernel/http/description.ts";
import { ERROR_MESSAGES } from "../../kernel/http/error-messages.ts";
import { ERRORS, FIELD_ERRORS, type FieldError } from "../../kernel/http/errors.ts";
import { ADMIN_KEY_HEADER } from "../../kernel/http/keys.ts";
import type { Declaration, NamedDeclaration, Route, Scheme } from "../../kernel/http/route.ts";
import { examplesOf, STREAM_EXAMPLES } from "./examples.ts";
import { CONTRACT_VERSION, LICENCE, overview, schemasFor } from "./schemas.ts";
import { WEBHOOKS } from "./webhooks.ts";

/** Errors that every request can get. */
const EVERYWHERE: ServiceErrorCode[] = ["origin_not_allowed", "host_not_allowed", "rate_limited"];

/** What a call requires: any one of these. `adminKey`: the scopes that the key needs. */
type Requirement = { adminKey?: Scope[]; session?: [] };

/** The requirements of a call, and the errors when none is met. */
const SECURITY: Record<
  Scheme,
  { needs(scopes: Scope[]): Requirement[]; errors: readonly ServiceErrorCode[] }
> = {
  session: { needs: () => [{ session: [] }], errors: ["missing_session"] },
  adminKey: { needs: adminKey => [{ adminKey }], errors: ["admin_api_disabled"] },
  moderator: { needs: adminKey => [{ adminKey }, { session: [] }], errors: ["admin_api_disabled"] },
  maybeSession: { needs: () => [{}, { session: [] }], errors: [] },
};
const WRONG_KEY = { description: "The admin key is missing or wrong. The body is empty." };
const NO_MODERATOR = {
  description:
    "The admin key is wrong; or there is none, and the browser is not that of a moderator. The body is empty.",
};

const IF_NONE_MATCH: Parameter = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "`ETag` of an earlier response.",
  schema: { type: "string" },
  example: HEADERS.ETag.example,
};

const json = (schema: Schema, examples: Record<string, Example>) => ({
  "application/json": { schema, examples },
});

const stream = (events: Readonly<Record<string, EventDescription>>) => ({
  "text/event-stream": {
    schema: { type: "string", description: "Server-sent events (HTML, section 9.2)." } as Schema,
    examples: STREAM_EXAMPLES,
    "x-events": events,
  },
});

const text = ({ type, description, example }: TextBody): { [T in TextBody["type"]]?: TextContent } => ({
  [type]: { schema: { type: "string", description }, examples: { example } },
});

interface TextContent {
  schema: Schema;
  examples: Record<string, Example>;
}

export interface OpenApiAnswer {
  description: string;
  headers: Record<string, Header | Reference>;
  /** undefined: the body is empty */
  content?: Partial<ReturnType<typeof json> & ReturnType<typeof stream> & ReturnType<typeof text>>;
}

const reference = (name: SchemaName): Schema => ({ $ref: `#/components/schemas/${name}` });

const content = (name: SchemaName, other?: SchemaName) =>
  other === undefined
    ? json(reference(name), examplesOf(name))
    : json({ anyOf: [name, other].map(reference) }, { ...examplesOf(name), ...examplesOf(other) });

function answer(described: AnswerDescription, cached = false): OpenApiAnswer {
  const { description, body, otherBody, headers: own = [], bare, stream: events, text: other } = described;
  const always = bare ? [] : EVERY_ANSWER;
  const tag = cached ? (["ETag"] as const) : [];
  return {
    description,
    headers: headers(...always, ...tag, ...own),
    ...(body === undefined
      ? {}
      : { content: { ...(events ? stream(events) : {}), ...content(body, otherBody) } }),
    ...(other === undefined ? {} : { content: text(other) }),
  };
}

/** An error response with these codes. */
function errorAnswer(
  codes: ServiceErrorCode[],
  messages: Partial<typeof ERROR_MESSAGES> = ERROR_MESSAGES,
): OpenApiAnswer {
  const examples = codes.map(code => [
    code,
    { summary: messages[code], value: { error: code, message: messages[code] } },
  ]);
  return {
    description: codes.map(code => `\`${code}\`: ${messages[code]}`).join("\n\n"),
    headers: errorHeaders(codes),
    content: json(
      { $ref: "#/components/schemas/Error", properties: { error: { enum: codes } } },
      Object.fromEntries(examples),
    ),
  };
}

/** The error responses for these codes, by status. */
function errorAnswers(
  codes: readonly ServiceErrorCode[],
  ofFields: readonly FieldError[] = [],
): Record<string, OpenApiAnswer> {
  const all = [
    ...codes.map(code => [code, ERRORS[code]] as const),
    ...ofFields.map(code => [code, FIELD_ERRORS[code]] as const),
  ];
  const statuses = [...new Set(all.map(([, status]) => status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map(status => [
      `${status}`,
      errorAnswer(all.flatMap(([code, its]) => (its === status ? [code] : []))),
    ]),
  );
}

const UNCHANGED = { description: "Nothing has changed since the `ETag` in the request. The body is empty." };
const TOO_LARGE = { invalid_body: "The body is too large." };

function responses(about: Declaration, api: ApiSettings): Record<string, OpenApiAnswer> {
  const { answers, cached, errors = [], fieldErrors, body } = about;
  const never = about.isForEveryOrigin ? "origin_not_allowed" : about.never;
  const scheme = about.auth.scheme(api);
  const own = Object.entries(answers).map(([status, one]) => [status, answer(one, cached)]);
  return {
    ...Object.fromEntries(own),
    ...(cached ? { 304: answer(UNCHANGED, true) } : {}),
    ...(scheme === "adminKey" ? { 401: answer(WRONG_KEY) } : {}),
    ...(scheme === "moderator" ? { 401: answer(NO_MODERATOR) } : {}),
    ...errorAnswers(
      [
        ...(body ? (["invalid_body"] as const) : []),
        ...(about.auth.scope ? (["forbidden"] as const) : []),
        ...[...(scheme ? SECURITY[scheme].errors : []), ...errors],
        ...EVERYWHERE.filter(code => code !== never),
      ],
      fieldErrors,
    ),
    ...(body ? { 413: errorAnswer(["invalid_body"], TOO_LARGE) } : {}),
  };
}

export type Operation = ReturnType<typeof operation>;

function operation(about: NamedDeclaration, api: ApiSettings) {
  const { id, tag, summary, body, cached, auth } = about;
  const description = textFor(about.description, api);
  const usual = `counts towards the ${api.limits.requestsPerMinute} requests a minute of the address.`;
  const rate = textFor(about.rate ?? usual, api);
  const parameters = [...(about.parameters ?? []), ...(cached ? [IF_NONE_MATCH] : [])];
  const scheme = auth.scheme(api);
  return {
    operationId: id,
    tags: [tag] as string[],
    summary,
    description: rate === "" ? description : `${description}\n\nRate limit: ${rate}`,
    security: scheme ? SECURITY[scheme].needs(auth.scope ? [auth.scope] : []) : [],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? { requestBody: { description: "JSON in UTF-8.", required: true, content: content(body[0]) } }
      : {}),
    responses: responses(about, api),
  };
}

const SERVER = pathParameter("server", "Name of a game server, as in `GET /servers`.", "lobby");

/** The description of a route below `/servers/{server}`. */
function ofOneServer({ method, path, about }: AnyRoute): AnyRoute {
  const { id, summary, parameters = [], errors = [] } = about;
  const others = about.perServer === "all" ? "all game servers" : "the first game server";
  return {
    method,
    path: `/servers/{server}${path}`,
    about: {
      ...about,
      id: `${id}Of`,
      summary: `${summary}, on one game server`,
      description: `Like \`${method} ${path}\`, which applies to ${others}.`,
      parameters: [SERVER, ...parameters],
      errors: ["unknown_server", ...errors],
    },
  };
}

type AnyRoute = Pick<Route<never, never>, "method" | "path" | "about">;

/** Responses to unknown paths and unsupported methods, by status. */
const OTHER_ANSWERS: Record<string, OpenApiAnswer> = {
  204: {
    description:
      "`OPTIONS` returns 204 with `Allow`; for a listed origin it returns the preflight headers instead.",
    headers: { Allow: { ...ALLOW, required: false } },
  },
  ...errorAnswers([...EVERYWHERE, "bad_request", "not_found", "method_not_allowed"]),
};

export type OpenApi = ReturnType<typeof openApiOf>;

/** The OpenAPI 3.1 document of these routes under a configuration. */
export function openApiOf(api: ApiSettings, routes: readonly AnyRoute[]) {
  const { sessionCookie: cookie } = api;
  const there = routes.filter(({ about }) => about.isThere?.(api) ?? true);
  const ofEach = there.filter(({ about }) => about.perServer).map(ofOneServer);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { method, path, about } of [...there, ...ofEach])
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(about, api) };
  const setCookie = { ...HEADERS["Set-Cookie"], example: cookieExample(cookie.name, cookie.maxAge / 1000) };
  const described: Record<string, Header> = { ...HEADERS, "Set-Cookie": setCookie };
  return {
    openapi: "3.1.0",
    info: {
      title: "Game Server Web Bridge API",
      version: CONTRACT_VERSION,
      "x-product-version": PRODUCT_VERSION,
      description: overview(api),
      license: { ...LICENCE, identifier: "MIT" },
    },
    servers: [{ url: ".", description: "The service that served this document." }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: WEBHOOKS,
    components: {
      schemas: schemasFor(api.whitelistNames),
      headers: described,
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: cookie.name,
          description:
            "The browser session: a random UUID that `GET /initialize` sets as a cookie. It identifies a browser, and is not a key. If its link is to a player in `modules.api.moderators`, moderation calls accept it instead of a key, from pages of this service and of listed origins.",
        },
        adminKey: {
          type: "apiKey",
          in: "header",
          name: ADMIN_KEY_HEADER,
          description: `A key of the configuration: \`modules.api.admin-api-key\`, with the scopes ${USUAL_SCOPES.map(scope => `\`${scope}\``).join(", ")}, or one of \`modules.api.admin-keys\`, with its own scopes. \`security\` of each call names the scope that it needs; without it, the call returns 403 \`forbidden\`. The key is checked before the body. Keep the key on your own server, never in a web page. While there is no key at all, calls return 503 \`admin_api_disabled\`.`,
        },
      },
    },
    "x-other-answers": OTHER_ANSWERS,
    "x-private-paths": ["/", "/assets/", "/manifest.webmanifest", "/favicon.ico", "/client.js"],
  };
}

import type { Schema } from "../../../shared/public/declare.ts";
import type { ServiceErrorCode } from "../../../shared/public/words.ts";
import { PRODUCT_VERSION } from "../../../shared/version.ts";
import type { Config } from "../../config/settings.ts";
import { ERRORS, FIELD_ERRORS, type FieldError } from "../../kernel/http/errors.ts";
import { ADMIN_KEY_HEADER } from "../../kernel/http/keys.ts";
import { type Call, TAGS, type Text, type Told } from "./call.ts";
import type { Parameter, StreamEvent } from "./events.ts";
import { type BodyName, EXAMPLES, type Example, STREAM_EXAMPLES } from "./examples.ts";
import {
  ALLOW,
  cookieExample,
  errorHeaders,
  HEADERS,
  type Header,
  headers,
  type Reference,
} from "./headers.ts";
import { CONTRACT_VERSION, LICENCE, overview } from "./info.ts";
import { MEANINGS } from "./meanings.ts";
import { calls } from "./operations.ts";
import { schemasFor } from "./schemas.ts";
import { WEBHOOKS } from "./webhooks.ts";

/** What any request may get, whatever it asks for. */
const EVERYWHERE: ServiceErrorCode[] = ["origin_not_allowed", "host_not_allowed", "rate_limited"];

/** What a call may ask for, and what it answers to whoever does not have it. */
const SECURITY = {
  session: { needs: [{ session: [] }], errors: ["missing_session"] },
  adminKey: { needs: [{ adminKey: [] }], errors: ["forbidden", "admin_api_disabled"] },
  maybeSession: { needs: [{}, { session: [] }], errors: [] },
} satisfies Record<string, { needs: object[]; errors: ServiceErrorCode[] }>;
const WRONG_KEY = { description: "The admin key is missing or wrong. The body is empty." };

const IF_NONE_MATCH: Parameter = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "`ETag` of an earlier answer.",
  schema: { type: "string" },
  example: HEADERS.ETag.example,
};

const json = (schema: Schema, examples: Record<string, Example>) => ({
  "application/json": { schema, examples },
});

const stream = (events: Record<string, StreamEvent>) => ({
  "text/event-stream": {
    schema: { type: "string", description: "Server-sent events (HTML, section 9.2)." } as Schema,
    examples: STREAM_EXAMPLES,
    "x-events": events,
  },
});

const text = ({ type, description, example }: Text): { [T in Text["type"]]?: TextContent } => ({
  [type]: { schema: { type: "string", description }, examples: { example } },
});

interface TextContent {
  schema: Schema;
  examples: Record<string, Example>;
}

export interface Answer {
  description: string;
  headers: Record<string, Header | Reference>;
  /** none: the body is empty */
  content?: Partial<ReturnType<typeof json> & ReturnType<typeof stream> & ReturnType<typeof text>>;
}

const reference = (name: BodyName): Schema => ({ $ref: `#/components/schemas/${name}` });

const content = (name: BodyName, other?: BodyName) =>
  other === undefined
    ? json(reference(name), EXAMPLES[name])
    : json({ anyOf: [name, other].map(reference) }, { ...EXAMPLES[name], ...EXAMPLES[other] });

function answer(told: Told, cached = false): Answer {
  const { description, body, otherBody, headers: own = [], bare, stream: events, text: other } = told;
  const always = bare ? [] : (["Cache-Control"] as const);
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

/** An error is one of all; an answer says which codes it may carry. */
function errorAnswer(codes: ServiceErrorCode[], meanings: Partial<typeof MEANINGS> = MEANINGS): Answer {
  const examples = codes.map(code => [code, { summary: meanings[code], value: { error: code } }]);
  return {
    description: codes.map(code => `\`${code}\`: ${meanings[code]}`).join("\n\n"),
    headers: errorHeaders(codes),
    content: json(
      { $ref: "#/components/schemas/Error", properties: { error: { enum: codes } } },
      Object.fromEntries(examples),
    ),
  };
}

/** The answers for these codes, by status. */
function errorAnswers(codes: ServiceErrorCode[], ofFields: FieldError[] = []): Record<string, Answer> {
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

const UNCHANGED = { description: "Nothing has changed since the ETag sent. The body is empty." };
const TOO_LARGE = { invalid_body: "The body is over the limit." };

function responses({
  answers,
  cached,
  errors = [],
  fieldErrors,
  never,
  request,
  security,
}: Call): Record<string, Answer> {
  const own = Object.entries(answers).map(([status, told]) => [status, answer(told, cached)]);
  const refused = security ? SECURITY[security].errors : [];
  return {
    ...Object.fromEntries(own),
    ...(cached ? { 304: answer(UNCHANGED, true) } : {}),
    ...(security === "adminKey" ? { 401: answer(WRONG_KEY) } : {}),
    ...errorAnswers(
      [
        ...(request ? (["invalid_body"] as const) : []),
        ...[...refused, ...errors],
        ...EVERYWHERE.filter(code => code !== never),
      ],
      fieldErrors,
    ),
    ...(request ? { 413: errorAnswer(["invalid_body"], TOO_LARGE) } : {}),
  };
}

export type Operation = ReturnType<typeof operation>;

function operation(call: Call, requestsPerMinute: number) {
  const { id, tag, summary, request, security, cached } = call;
  const { rate = `one of the ${requestsPerMinute} requests a minute that an address may send.` } = call;
  const parameters = [...(call.parameters ?? []), ...(cached ? [IF_NONE_MATCH] : [])];
  return {
    operationId: id,
    tags: [tag] as string[],
    summary,
    description: rate === "" ? call.description : `${call.description}\n\nRate: ${rate}`,
    security: security ? SECURITY[security].needs : [],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(request
      ? { requestBody: { description: "JSON in UTF-8.", required: true, content: content(request) } }
      : {}),
    responses: responses(call),
  };
}

/** Answers to paths that do not exist and to methods that a path does not know, by status. */
const OTHER_ANSWERS: Record<string, Answer> = {
  204: {
    description:
      "To `OPTIONS`. The preflight of a listed origin gets the `Access-Control-` headers instead of `Allow`.",
    headers: { Allow: { ...ALLOW, required: false } },
  },
  ...errorAnswers([...EVERYWHERE, "bad_request", "not_found", "method_not_allowed"]),
};

export type OpenApi = ReturnType<typeof openApi>;

/** The OpenAPI 3.1 description of the public REST interface under a configuration. */
export function openApi(api: Config["modules"]["api"]) {
  const { sessionCookie: cookie } = api;
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [at, call] of Object.entries(calls(api))) {
    const [method = "", path = ""] = at.split(" ");
    paths[path] = { ...paths[path], [method]: operation(call, api.limits.requestsPerMinute) };
  }
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
    servers: [{ url: ".", description: "Where this document came from." }],
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
            "The browser session: a random UUID that `GET /initialize` sets as a cookie. It names a browser, and never an administrator.",
        },
        adminKey: {
          type: "apiKey",
          in: "header",
          name: ADMIN_KEY_HEADER,
          description:
            "A key of the configuration: `modules.api.admin-api-key`, which has every scope, or one of `modules.api.admin-keys` with the scopes that it has there. Keep it on your own server, never in a page. While there is none of either kind, 503 `admin_api_disabled` is answered, before the key is looked at.",
        },
      },
    },
    "x-other-answers": OTHER_ANSWERS,
    "x-private-paths": ["/", "/assets/", "/manifest.webmanifest", "/favicon.ico", "/client.js"],
  };
}

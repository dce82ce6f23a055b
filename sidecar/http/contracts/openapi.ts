import type { Config } from "../../config/settings.ts";
import { ERRORS, type ErrorCode } from "../errors.ts";
import { ADMIN_KEY_HEADER } from "../routes/whitelist.ts";
import type { Answer, Content, OpenApi, Operation, Parameter } from "./documents.ts";
import { type BodyName, EXAMPLES } from "./examples.ts";
import { ALLOW, cookieExample, errorHeaders, HEADERS, type HeaderName, headers } from "./headers.ts";
import { DESCRIPTION_VERSION, LICENCE, overview } from "./info.ts";
import { MEANINGS } from "./meanings.ts";
import { type Call, calls, TAGS, type Told } from "./operations.ts";
import { SCHEMAS } from "./schemas.ts";

/** What any request may get, whatever it asks for. */
const EVERYWHERE: ErrorCode[] = ["origin_not_allowed", "rate_limited"];

const SECURITY = {
  session: [{ session: [] }],
  adminKey: [{ adminKey: [] }],
  maybeSession: [{}, { session: [] }],
};

const IF_NONE_MATCH: Parameter = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "`ETag` of an earlier answer.",
  schema: { type: "string" },
  example: HEADERS.ETag.example,
};

function content(name: BodyName, only = Object.keys(EXAMPLES[name])): Content {
  const examples = Object.entries(EXAMPLES[name]).filter(([key]) => only.includes(key));
  return {
    "application/json": {
      schema: { $ref: `#/components/schemas/${name}` },
      examples: Object.fromEntries(examples),
    },
  };
}

function answer({ description, body, examples, headers: own = [], bare }: Told, cached = false): Answer {
  const all: HeaderName[] = [
    ...(bare ? [] : (["Cache-Control"] as const)),
    ...(cached ? (["ETag"] as const) : []),
    ...own,
  ];
  return {
    description,
    headers: headers(...all),
    ...(body === undefined ? {} : { content: content(body, examples) }),
  };
}

function errorAnswer(codes: ErrorCode[], meanings: Partial<typeof MEANINGS> = MEANINGS): Answer {
  const examples = codes.map(code => [code, { summary: meanings[code], value: { error: code } }]);
  return {
    description: codes.map(code => `\`${code}\`: ${meanings[code]}`).join("\n\n"),
    headers: errorHeaders(codes),
    content: {
      "application/json": {
        schema: {
          type: "object",
          description: "An error.",
          additionalProperties: false,
          required: ["error"],
          properties: { error: { type: "string", enum: codes, description: "What went wrong." } },
        },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** The answers for these codes, by status. */
function errorAnswers(codes: ErrorCode[]): Record<string, Answer> {
  const statuses = [...new Set(codes.map(code => ERRORS[code]))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map(status => [`${status}`, errorAnswer(codes.filter(code => ERRORS[code] === status))]),
  );
}

function responses({ answers, cached = false, errors = [], request }: Call): Record<string, Answer> {
  const own = Object.entries(answers).map(([status, told]) => [status, answer(told, cached)]);
  const unchanged = answer(
    { description: "Nothing has changed since the ETag sent. The body is empty." },
    true,
  );
  return {
    ...Object.fromEntries(own),
    ...(cached ? { 304: unchanged } : {}),
    ...errorAnswers([...errors, ...EVERYWHERE]),
    ...(request
      ? { 413: errorAnswer(["invalid_body"], { invalid_body: "The body is over the limit." }) }
      : {}),
  };
}

function describe(call: Call): Operation {
  const { id, tag, summary, description, request, security, cached } = call;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: security ? SECURITY[security] : [],
    ...(cached ? { parameters: [IF_NONE_MATCH] } : {}),
    ...(request
      ? { requestBody: { description: "JSON in UTF-8.", required: true, content: content(request) } }
      : {}),
    responses: responses(call),
  };
}

/** The OpenAPI 3.1 description of the public REST interface under a configuration. */
export function openApi(api: Config["modules"]["api"]): OpenApi {
  const { sessionCookie: cookie } = api;
  const paths = Object.entries(calls(api)).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, call]) => [method, describe(call)])),
  ]);
  const setCookie = cookieExample(cookie.name, cookie.maxAge / 1000);
  return {
    openapi: "3.1.0",
    info: {
      title: "Game Server Web Bridge API",
      version: DESCRIPTION_VERSION,
      description: overview(api),
      license: { ...LICENCE, identifier: "MIT" },
    },
    servers: [{ url: "/", description: "Where this document came from." }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(paths),
    components: {
      schemas: SCHEMAS,
      headers: { ...HEADERS, "Set-Cookie": { ...HEADERS["Set-Cookie"], example: setCookie } },
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
            "The key of the configuration, `modules.api.admin-api-key`. Keep it on your own server, never in a page. While none is configured, 503 `admin_api_disabled` is answered.",
        },
      },
    },
    "x-other-answers": {
      204: {
        description:
          "To `OPTIONS`. The preflight of a listed origin gets the `Access-Control-` headers instead of `Allow`.",
        headers: { Allow: { ...ALLOW, required: false } },
      },
      ...errorAnswers([...EVERYWHERE, "not_found", "method_not_allowed"]),
    },
    "x-private-paths": ["/", "/console.json", "/assets/"],
  };
}

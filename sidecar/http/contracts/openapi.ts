import { ERRORS, type ErrorCode } from "../errors.ts";
import { ADMIN_KEY_HEADER } from "../routes/whitelist.ts";
import { SCHEMAS, type Schema } from "./schemas.ts";

/** Version of the description, not of the product; paths carry none. */
export const DESCRIPTION_VERSION = "0.1.0-SNAPSHOT";

type SchemaName = keyof typeof SCHEMAS;

interface Operation {
  id: string;
  summary: string;
  request?: SchemaName;
  /** what success answers: status and schema */
  answers: Record<number, [description: string, schema: SchemaName]>;
  /** what a cache may keep: adds ETag, 304 and Cache-Control */
  cached?: boolean;
  /** errors besides those that every operation may answer */
  errors?: ErrorCode[];
  /** a status with an empty body */
  empty?: Record<number, string>;
  security?: "session" | "adminKey";
}

/** What any request may get, whatever it asks for. */
const EVERYWHERE: ErrorCode[] = ["origin_not_allowed", "rate_limited"];

const MEANINGS: Record<ErrorCode, string> = {
  invalid_body: "The body is no JSON object in UTF-8, sent as application/json, of the expected kind.",
  missing_username: "`username` is null, missing or blank.",
  invalid_name: "`playerName` is null, missing, blank or does not match the pattern.",
  not_linked: "The session has no accepted link.",
  missing_session: "The session cookie is missing or no UUID.",
  origin_not_allowed: "The `Origin` is neither listed nor the service's own. Nothing was done.",
  not_found: "There is no such path.",
  method_not_allowed: "The path does not know this method; `Allow` names those it knows.",
  player_offline: "No online player has exactly this name.",
  upgrade_required: "This path is a WebSocket.",
  rate_limited: "Too many requests; `Retry-After` says when to try again, in seconds.",
  unexpected_result: "Something went wrong; the log of the service has the id in `X-Request-Id`.",
  admin_api_disabled: "No admin key is configured.",
  server_unavailable: "No game server is connected, or it has stopped reporting.",
  too_many_connections: "The service has as many WebSocket clients as it takes.",
};

const PATHS: Record<string, Partial<Record<"get" | "post", Operation>>> = {
  "/status": {
    get: {
      id: "getStatus",
      summary: "Metrics of the game server",
      answers: { 200: ["The metrics", "Metrics"] },
      cached: true,
      errors: ["server_unavailable"],
    },
  },
  "/players": {
    get: {
      id: "getPlayers",
      summary: "Online players",
      answers: { 200: ["One element per online player", "Players"] },
      cached: true,
      errors: ["server_unavailable"],
    },
  },
  "/history": {
    get: {
      id: "getHistory",
      summary: "Metrics of the last hour",
      answers: { 200: ["The points, with gaps where no game server reported", "History"] },
      cached: true,
    },
  },
  "/initialize": {
    get: {
      id: "initialize",
      summary: "The browser session; makes one and sets its cookie when there is none",
      answers: { 200: ["The session", "InitializationData"] },
    },
  },
  "/link-player": {
    post: {
      id: "linkPlayer",
      summary: "Ask an online player, inside the game, to be linked to this browser session",
      security: "session",
      request: "LinkRequest",
      answers: {
        202: ["The player is being asked", "VerificationSent"],
        409: ["A request of this session is open already", "AlreadyPending"],
      },
      errors: [
        "invalid_body",
        "missing_username",
        "missing_session",
        "player_offline",
        "unexpected_result",
        "server_unavailable",
      ],
    },
  },
  "/linked-player": {
    get: {
      id: "getLinkedPlayer",
      summary: "The link of this browser session",
      security: "session",
      answers: { 200: ["The link", "LinkedPlayerResponse"] },
      errors: ["missing_session"],
    },
  },
  "/unlink-player": {
    post: {
      id: "unlinkPlayer",
      summary: "End the accepted link of this browser session",
      security: "session",
      answers: { 200: ["The link is gone", "Unlinked"] },
      errors: ["not_linked", "missing_session"],
    },
  },
  "/whitelist": {
    get: {
      id: "getWhitelist",
      summary: "Names on the game's allowlist, by code unit",
      security: "adminKey",
      answers: { 200: ["The names", "Whitelist"] },
      empty: { 401: "The admin key is missing or wrong." },
      errors: ["admin_api_disabled", "server_unavailable", "unexpected_result"],
    },
    post: {
      id: "addToWhitelist",
      summary: "Put a name on the game's allowlist",
      security: "adminKey",
      request: "WhitelistRequest",
      answers: { 202: ["The game's list holds the name", "Whitelisted"] },
      empty: { 401: "The admin key is missing or wrong." },
      errors: [
        "invalid_body",
        "invalid_name",
        "admin_api_disabled",
        "server_unavailable",
        "unexpected_result",
      ],
    },
  },
  "/healthz": {
    get: { id: "getHealth", summary: "The process is up", answers: { 200: ["It is", "Health"] } },
  },
  "/readyz": {
    get: {
      id: "getReadiness",
      summary: "A game server is connected and reports",
      answers: { 200: ["It does", "Ready"], 503: ["It does not", "NotReady"] },
    },
  },
};

const json = (schema: Schema): Schema => ({ content: { "application/json": { schema } } });
const reference = (name: SchemaName): Schema => ({ $ref: `#/components/schemas/${name}` });

function errorSchema(codes: readonly ErrorCode[]): Schema {
  return {
    type: "object",
    additionalProperties: false,
    required: ["error"],
    properties: { error: { type: "string", enum: codes } },
  };
}

function responses(operation: Operation, hasBody: boolean): Record<string, Schema> {
  const described: Record<string, Schema> = {};
  for (const [status, [description, schema]] of Object.entries(operation.answers))
    described[status] = { description, ...json(reference(schema)) };
  for (const [status, description] of Object.entries(operation.empty ?? {}))
    described[status] = { description };
  if (operation.cached) described[304] = { description: "Nothing has changed since the ETag sent." };
  const codes = [...(operation.errors ?? []), ...EVERYWHERE];
  for (const status of new Set(codes.map(code => ERRORS[code]))) {
    const ofStatus = codes.filter(code => ERRORS[code] === status);
    described[status] = {
      description: ofStatus.map(code => `\`${code}\`: ${MEANINGS[code]}`).join("\n\n"),
      ...json(errorSchema(ofStatus)),
    };
  }
  if (hasBody)
    described[413] = { description: "The body is over the limit.", ...json(errorSchema(["invalid_body"])) };
  return described;
}

function describe(operation: Operation): Schema {
  const { id, summary, request, security } = operation;
  return {
    operationId: id,
    summary,
    ...(security ? { security: [{ [security]: [] }] } : { security: [] }),
    ...(request ? { requestBody: { required: true, ...json(reference(request)) } } : {}),
    responses: responses(operation, request !== undefined),
  };
}

/** The OpenAPI 3.1 description of the public REST interface. */
export function openApi(cookieName: string): Schema {
  const paths = Object.entries(PATHS).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, describe(operation)])),
  ]);
  return {
    openapi: "3.1.0",
    info: {
      title: "Game Server Web Bridge API",
      version: DESCRIPTION_VERSION,
      description:
        "Status, players, linking and the whitelist of a game server. The chat is a WebSocket at `/chat`, described in `/asyncapi.json`.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    paths: Object.fromEntries(paths),
    components: {
      schemas: SCHEMAS,
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: cookieName },
        adminKey: { type: "apiKey", in: "header", name: ADMIN_KEY_HEADER },
      },
    },
  };
}

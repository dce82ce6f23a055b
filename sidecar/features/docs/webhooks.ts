import * as guards from "../../../shared/guard.ts";
import { object, oneOf, type Schema, withSchema } from "../../../shared/public/schema-guards.ts";
import { STORED_EVENTS, type StoredEventType } from "../../../shared/public/words.ts";
import type { Parameter } from "../../kernel/http/description.ts";
import { STREAM_EVENTS } from "../feed/description.ts";

const AT = 1_767_225_615_250;
const PLAYER = { name: "Steve", uuid: "25f6be79-78bb-5d2a-9d14-dde1a1ccd90a" };
const KILLER = { name: "Alex", uuid: "18859a70-6806-56f2-8df1-7b996e8151cb" };

/** Summary and example data of each event type. */
const TYPES: Record<StoredEventType, { summary: string; data: object }> = {
  chat: {
    summary: "A chat message was sent",
    data: { at: AT, from: "web", content: "hello from the website", label: "kxwtmhzr" },
  },
  join: { summary: "A player joined, or is no longer hidden", data: { at: AT, player: PLAYER } },
  leave: { summary: "A player left, or is now hidden", data: { at: AT, player: PLAYER } },
  death: { summary: "A player died", data: { at: AT, player: PLAYER, killer: KILLER } },
  server: {
    summary: "The game server went online or offline",
    data: { at: AT, state: "online" },
  },
};

const header = (name: string, description: string, schema: Schema, example: unknown): Parameter => ({
  name,
  in: "header",
  required: true,
  description,
  schema,
  example,
});

const HEADERS = [
  header(
    "webhook-id",
    "Id of the event. It stays the same when the event is sent again.",
    { type: "string" },
    "1767225600000-7",
  ),
  header(
    "webhook-timestamp",
    "Time of this request, in seconds since 1970.",
    { type: "integer", minimum: 0 },
    1_767_225_616,
  ),
  header(
    "webhook-signature",
    "`v1,` and the base64 HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the body, joined by dots. The HMAC key is the decoded secret.",
    { type: "string", pattern: "^v1,[A-Za-z0-9+/]{43}=$" },
    "v1,rBXVsZ3gkWgYBR5h2YHVPwSB8ANK0BqVd7wD3zqL6XU=",
  ),
];

function webhook(type: StoredEventType) {
  const { summary, data } = TYPES[type];
  const { schema } = object("An event, signed according to Standard Webhooks.", {
    type: oneOf("Type of the event.", type),
    timestamp: withSchema(guards.text(32), {
      type: "string",
      format: "date-time",
      description: "`at` of the data.",
    }),
    data: withSchema(guards.object({}), STREAM_EVENTS[type].data),
  });
  const value = { type, timestamp: "2026-01-01T00:00:15.250Z", data };
  return {
    operationId: `on${type.charAt(0).toUpperCase()}${type.slice(1)}`,
    tags: ["Webhooks"],
    summary,
    description:
      "Sent to each address of `webhooks` in the configuration that has the format `standard` and this event, at least once and in order. If the response is not 2xx within 20 s, the event is sent again later, and later events wait for it.",
    security: [],
    parameters: HEADERS,
    requestBody: {
      description: "JSON in UTF-8.",
      required: true,
      content: { "application/json": { schema, examples: { [type]: { summary, value } } } },
    },
    responses: {
      "2XX": { description: "The event was received. The body is ignored." },
      "4XX": { description: "Like any other response: the event is sent again later." },
    },
  };
}

/** Requests to webhooks of the format `standard`, by event type. */
export const WEBHOOKS = Object.fromEntries(
  STORED_EVENTS.map(type => [type, { post: webhook(type) }]),
) as Record<StoredEventType, { post: ReturnType<typeof webhook> }>;

import * as guards from "../../../shared/guard.ts";
import { object, oneOf, type Schema, withSchema } from "../../../shared/public/schema-guards.ts";
import { KEPT_EVENTS, type KeptEvent } from "../../../shared/public/words.ts";
import type { Parameter } from "../../kernel/http/description.ts";
import { STREAM_EVENTS } from "../feed/description.ts";

const AT = 1_767_225_615_250;
const PLAYER = { name: "Steve", uuid: "25f6be79-78bb-5d2a-9d14-dde1a1ccd90a" };
const KILLER = { name: "Alex", uuid: "18859a70-6806-56f2-8df1-7b996e8151cb" };

/** Each type of event, with an example of its data. */
const TYPES: Record<KeptEvent, { summary: string; data: object }> = {
  chat: {
    summary: "Somebody wrote into the chat",
    data: { at: AT, from: "web", content: "hello from the website", label: "kxwtmhzr" },
  },
  join: { summary: "A player came, or does not hide any more", data: { at: AT, player: PLAYER } },
  leave: { summary: "A player went, or hides", data: { at: AT, player: PLAYER } },
  death: { summary: "A player died", data: { at: AT, player: PLAYER, killer: KILLER } },
  server: {
    summary: "The game server began or ceased to report",
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
    "Id of the event. One that comes again has the same.",
    { type: "string" },
    "1767225600000-7",
  ),
  header(
    "webhook-timestamp",
    "When it is sent, in seconds since 1970.",
    { type: "integer", minimum: 0 },
    1_767_225_616,
  ),
  header(
    "webhook-signature",
    "`v1,` and base64 of the HMAC-SHA256, with the bytes of the secret, of `webhook-id`, `webhook-timestamp` and the body, with dots between.",
    { type: "string", pattern: "^v1,[A-Za-z0-9+/]{43}=$" },
    "v1,rBXVsZ3gkWgYBR5h2YHVPwSB8ANK0BqVd7wD3zqL6XU=",
  ),
];

function webhook(type: KeptEvent) {
  const { summary, data } = TYPES[type];
  const { schema } = object("An event, signed as the Standard Webhooks specification says.", {
    type: oneOf("What happened.", type),
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
      "Sent to each address of `webhooks` in the configuration that has the format `standard` and this event, at least once and in order. What is not answered with 2xx within 20 s is sent again later, and later events wait for it.",
    security: [],
    parameters: HEADERS,
    requestBody: {
      description: "JSON in UTF-8.",
      required: true,
      content: { "application/json": { schema, examples: { [type]: { summary, value } } } },
    },
    responses: {
      "2XX": { description: "It was taken. The body is not read." },
      "4XX": { description: "As every other answer: it is sent again later." },
    },
  };
}

/** Requests to webhooks of the format `standard`, by type of event. */
export const WEBHOOKS = Object.fromEntries(
  KEPT_EVENTS.map(type => [type, { post: webhook(type) }]),
) as Record<KeptEvent, { post: ReturnType<typeof webhook> }>;

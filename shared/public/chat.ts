import * as guards from "../guard.ts";
import { object, oneOf, type SchemaGuard, text, withSchema } from "./schema-guards.ts";
import { EXCEPTIONS, MESSAGE_TYPES, type MessageType } from "./words.ts";

export const chatMessage = object("A message on `/chat`.", {
  type: oneOf("Type of the message.", ...MESSAGE_TYPES),
  content: text("Content of the message."),
});
export type ChatMessage = guards.Infer<typeof chatMessage>;

const only = <const T extends string>(...texts: T[]) =>
  withSchema(guards.oneOf(...texts), { type: "string", description: "A fixed text.", enum: texts });

/** Contents of messages from the service, by type. */
export const SERVER_MESSAGES = {
  VERIFICATION: only("Connection successful."),
  CHAT: text("The message."),
  PING: only("heartbeat ping"),
  PONG: only("heartbeat pong"),
  EXCEPTION: only(...EXCEPTIONS),
} satisfies Record<MessageType, SchemaGuard<string>>;

const ignored = withSchema<unknown>(() => undefined, {
  description: "Ignored. Any value, or omitted.",
});

/** Contents of messages from clients, by type. A CHAT has at most `maxLength` UTF-16 code units. */
export const clientMessages = (maxLength: number) => ({
  CHAT: withSchema(guards.text(maxLength), {
    type: "string",
    description: "The text. Its length is counted in UTF-16 code units: an emoji can count as two.",
    maxLength,
  }),
  PING: ignored,
  PONG: ignored,
});

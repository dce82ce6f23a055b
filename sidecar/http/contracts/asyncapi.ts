import { DESCRIPTION_VERSION } from "./openapi.ts";
import type { Schema } from "./schemas.ts";

interface Described {
  type: string;
  summary: string;
  content: Schema;
  example: string;
}

const anyText: Schema = { type: "string" };
const only = (...values: string[]): Schema => ({ type: "string", enum: values });

/** What the service sends, by message name. */
const SENT: Record<string, Described> = {
  line: {
    type: "CHAT",
    summary:
      "A line of chat. From the game: stretches of one colour, each begun by `§#rrggbb`, or `§§` without colour. From another browser: the text as it was sent. Never treat it as HTML.",
    content: anyText,
    example: "§§<Steve> §§hi",
  },
  ping: {
    type: "PING",
    summary: "Heartbeat, at the configured interval",
    content: only("heartbeat ping"),
    example: "heartbeat ping",
  },
  pong: {
    type: "PONG",
    summary: "Answer to a PING",
    content: only("heartbeat pong"),
    example: "heartbeat pong",
  },
  greeting: {
    type: "VERIFICATION",
    summary: "First message of each connection",
    content: only("Connection successful."),
    example: "Connection successful.",
  },
  exception: {
    type: "EXCEPTION",
    summary:
      "What the client sent was no message that clients may send, came too fast, or found no game server",
    content: only("bad message", "rate limited", "server unavailable"),
    example: "bad message",
  },
};

const received = (messageLength: number): Record<string, Described> => ({
  say: {
    type: "CHAT",
    summary: "A line for the game and for all other browsers",
    content: { ...anyText, maxLength: messageLength },
    example: "hello from the web",
  },
  clientPing: { type: "PING", summary: "Asks for a PONG", content: anyText, example: "" },
  clientPong: { type: "PONG", summary: "Answer to a heartbeat; ignored", content: anyText, example: "" },
});

function message({ type, summary, content, example }: Described): Schema {
  const answersPing = type === "PING" || type === "PONG";
  return {
    name: type,
    summary,
    contentType: "application/json",
    payload: {
      type: "object",
      required: answersPing && content === anyText ? ["type"] : ["type", "content"],
      properties: { type: { type: "string", const: type }, content },
    },
    examples: [{ payload: { type, content: example } }],
  };
}

const messages = (described: Record<string, Described>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(described).map(([name, one]) => [name, message(one)]));
const references = (described: Record<string, Described>): Schema[] =>
  Object.keys(described).map(name => ({ $ref: `#/channels/chat/messages/${name}` }));

/** The AsyncAPI 3 description of `/chat`. `messageLength`: longest text of a client, in UTF-16 code units. */
export function asyncApi(messageLength: number): Schema {
  const fromClient = received(messageLength);
  const channel = { $ref: "#/channels/chat" };
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Game Server Web Bridge chat",
      version: DESCRIPTION_VERSION,
      license: { name: "MIT" },
    },
    defaultContentType: "application/json",
    channels: {
      chat: { address: "/chat", messages: { ...messages(SENT), ...messages(fromClient) } },
    },
    operations: {
      sendToBrowser: { action: "send", channel, messages: references(SENT) },
      receiveFromBrowser: { action: "receive", channel, messages: references(fromClient) },
    },
  };
}

import { PRODUCT_VERSION } from "../../../shared/version.ts";
import type { Config } from "../../config/settings.ts";
import { size, time } from "../../kernel/http/description.ts";
import { type Message, receivedMessages, sentMessages } from "./messages.ts";
import { LICENCE } from "./schemas.ts";

const references = (messages: Record<string, Message>): { $ref: string }[] =>
  Object.keys(messages).map(name => ({ $ref: `#/channels/chat/messages/${name}` }));

const reach = {
  host: "{host}",
  pathname: "{path}",
  variables: {
    host: { default: "localhost:8080", description: "Where this document came from." },
    path: { default: "", description: "The path that a proxy has the service below, such as `/bridge`." },
  },
};

export type AsyncApi = ReturnType<typeof asyncApi>;

/** The AsyncAPI 3 description of `/chat` under a configuration. */
export function asyncApi(api: Config["modules"]["api"]) {
  const [sent, received] = [sentMessages(api), receivedMessages(api)];
  const channel = { $ref: "#/channels/chat" };
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Game Server Web Bridge chat",
      version: PRODUCT_VERSION,
      "x-product-version": PRODUCT_VERSION,
      description:
        "Chat between the game and browsers, both ways. Everything else is described in `/openapi.json`, and so are the answers to a handshake that is refused: `GET /chat`.",
      license: { ...LICENCE, url: "https://opensource.org/license/mit" },
      tags: [{ name: "Chat", description: "Lines, heartbeats and refusals." }],
    },
    defaultContentType: "application/json",
    servers: {
      plain: { ...reach, protocol: "ws", description: "The service itself, which has no TLS." },
      tls: { ...reach, protocol: "wss", description: "Behind a proxy with TLS." },
    },
    channels: {
      chat: {
        address: "/chat",
        title: "Chat",
        description: about(api),
        servers: [{ $ref: "#/servers/plain" }, { $ref: "#/servers/tls" }],
        messages: { ...sent, ...received },
        bindings: { ws: handshake(api) },
      },
    },
    operations: {
      sendToBrowser: {
        action: "send",
        title: "From the service",
        summary: "What a client hears",
        description: "The greeting comes first. Lines come in the order in which they were said.",
        channel,
        messages: references(sent),
      },
      receiveFromBrowser: {
        action: "receive",
        title: "From a client",
        summary: "What a client may send",
        description: "Anything else is answered with an EXCEPTION, and the connection stays open.",
        channel,
        messages: references(received),
      },
    },
  };
}

function about({ heartbeatInterval, limits }: Config["modules"]["api"]): string {
  return [
    "Each message is a JSON object with `type` and `content`, in one text message of the WebSocket. Neither a session nor a key is needed.",
    "Where there are several game servers, a socket hears and speaks to all of them, or with `?server=<name>` to that one alone.",
    `Heartbeat: the service sends a PING every ${time(heartbeatInterval)}. A client that hears none for two and a half times as long may take the connection for lost.`,
    `Limits of one connection: ${limits.messagesBurst} messages at once and ${limits.messagesPerSecond} a second lasting, ${limits.messageLength} UTF-16 code units in a CHAT, ${size(limits.messageBytes)} in a message, ${size(limits.websocketBufferBytes)} that the client has not read. All connections of an address together may send ${limits.messagesPerMinutePerAddress} CHAT a minute, and everybody together ${limits.chatLinesBurst} at once and ${limits.chatLinesPerSecond} a second lasting. The service takes ${limits.websocketClients} connections, ${limits.websocketClientsPerAddress} of one address.`,
    'Refused handshakes are answered over HTTP with `{"error": code}`: 403 `origin_not_allowed`, 404 `not_found` (another path, or the chat of the web is off) or `unknown_server` (`server` names no game server), 405 `method_not_allowed`, 421 `host_not_allowed`, 426 `upgrade_required` (no WebSocket handshake), 429 `rate_limited`, and 503 `too_many_connections`; the last two with `Retry-After`.',
    "Close codes: 1001 when the service stops or the chat of the web is turned off, 1002 and 1007 for what breaks the protocol, 1008 for 100 messages within 10 seconds that were refused with `bad message`, `rate limited` or `not allowed`, for one more of an address with 1,000 of them at once and 100 a second, and for a message in more than 16 fragments, 1009 for one over the limit of bytes. A client that does not read, or does not finish a message within 10 seconds, is cut off without a code (1006). Connect again after a while, with a random delay.",
  ].join("\n\n");
}

const handshake = ({ sessionCookie }: Config["modules"]["api"]) => ({
  method: "GET",
  headers: {
    type: "object",
    description: "Headers of the handshake that matter besides those of the protocol.",
    properties: {
      Origin: {
        type: "string",
        description: "Browsers send it. It has to be listed in the configuration, or be the service's own.",
      },
      Cookie: {
        type: "string",
        description: `With the session cookie, \`${sessionCookie.name}\`, the game may show the name of the linked player.`,
      },
    },
  },
  query: {
    type: "object",
    description: "What may stand in the address.",
    properties: {
      server: {
        type: "string",
        description: "Name of the one game server that is heard and spoken to. Without it: all of them.",
      },
    },
  },
  bindingVersion: "0.1.0",
});

import { PRODUCT_VERSION } from "../../../shared/version.ts";
import type { Config } from "../../config/settings.ts";
import { size, time } from "../../kernel/http/description.ts";
import { type Message, receivedMessages, sentMessages } from "./messages.ts";
import { LICENCE } from "./schemas.ts";

const references = (messages: Record<string, Message>): { $ref: string }[] =>
  Object.keys(messages).map(name => ({ $ref: `#/channels/chat/messages/${name}` }));

const reachOf = (port: number) => ({
  host: "{host}",
  pathname: "{path}",
  variables: {
    host: { default: `localhost:${port}`, description: "Host and port of the address of this document." },
    path: { default: "", description: "The path of the service behind a proxy, such as `/bridge`." },
  },
});

export type AsyncApi = ReturnType<typeof asyncApi>;

/** The AsyncAPI 3 description of `/chat` under a configuration. */
export function asyncApi(api: Config["modules"]["api"]) {
  const [sent, received] = [sentMessages(api), receivedMessages(api)];
  const channel = { $ref: "#/channels/chat" };
  const reach = reachOf(api.port);
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Game Server Web Bridge chat",
      version: PRODUCT_VERSION,
      "x-product-version": PRODUCT_VERSION,
      description:
        "Chat between the game and browsers, in both directions. Everything else is described in `/openapi.json`, including the responses to a rejected handshake (`GET /chat`).",
      license: { ...LICENCE, url: "https://opensource.org/license/mit" },
      tags: [{ name: "Chat", description: "Chat messages, heartbeats and errors." }],
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
        summary: "Messages that a client receives",
        description: "The greeting comes first. Chat messages come in the order in which they were sent.",
        channel,
        messages: references(sent),
      },
      receiveFromBrowser: {
        action: "receive",
        title: "From a client",
        summary: "Messages that a client can send",
        description:
          "The service responds to anything else with an EXCEPTION, and the connection stays open.",
        channel,
        messages: references(received),
      },
    },
  };
}

function about({ heartbeatInterval, limits }: Config["modules"]["api"]): string {
  return [
    "Each message is a JSON object with `type` and `content`, in one text message of the WebSocket. No session or key is required.",
    "With several game servers, a socket receives messages of all of them and sends to all of them; with `?server=<name>` only of that one.",
    `Heartbeat: the service sends a PING every ${time(heartbeatInterval)}. If a client gets none for two and a half times as long, the connection is lost.`,
    `Limits of one connection: bursts of ${limits.messagesBurst} messages and ${limits.messagesPerSecond} a second sustained, ${limits.messageLength} UTF-16 code units in a CHAT, ${size(limits.messageBytes)} in a message, ${size(limits.websocketBufferBytes)} that the client has not read. All connections of an address together can send ${limits.messagesPerMinutePerAddress} CHAT a minute, and all clients together bursts of ${limits.chatLinesBurst} and ${limits.chatLinesPerSecond} a second sustained. The service accepts ${limits.websocketClients} connections, ${limits.websocketClientsPerAddress} of them from one address.`,
    "Rejected handshakes get an HTTP response with an error as in `/openapi.json`: 403 `origin_not_allowed`, 404 `not_found` (another path, or web chat is off) or `unknown_server` (there is no game server with the name in `server`), 405 `method_not_allowed`, 421 `host_not_allowed`, 426 `upgrade_required` (not a WebSocket handshake), 429 `rate_limited`, and 503 `too_many_connections`; the last two with `Retry-After`.",
    "Close codes: 1001 when the service stops or web chat is turned off; 1002 and 1007 for protocol errors; 1008 for 100 messages within 10 seconds that were rejected with `bad message`, `rate limited` or `not allowed`, for an address with a burst of more than 1,000 of them or more than 100 a second sustained, and for a message in more than 16 fragments; 1009 for a message over the size limit. A client that does not read, or does not finish a message within 10 seconds, is disconnected without a code (1006). Reconnect after a random delay.",
  ].join("\n\n");
}

const handshake = ({ sessionCookie }: Config["modules"]["api"]) => ({
  method: "GET",
  headers: {
    type: "object",
    description: "Headers of the handshake beside those of the protocol.",
    properties: {
      Origin: {
        type: "string",
        description: "Sent by browsers. It must be listed in the configuration or be the service's own.",
      },
      Cookie: {
        type: "string",
        description: `With the session cookie \`${sessionCookie.name}\`, the game can show the name of the linked player.`,
      },
    },
  },
  query: {
    type: "object",
    description: "Query parameters.",
    properties: {
      server: {
        type: "string",
        description: "Name of one game server to receive from and send to. Default: all of them.",
      },
    },
  },
  bindingVersion: "0.1.0",
});

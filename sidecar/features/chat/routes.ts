import { queryParameter } from "../../kernel/http/description.ts";
import { errorAnswer } from "../../kernel/http/errors.ts";
import { route, routes } from "../../kernel/http/route.ts";
import { maybeSession } from "../../kernel/http/session.ts";

export const chatRoutes = routes("Chat", {
  /** Handshakes are handled by `createSockets`, with the same errors; this route is for other requests. */
  openChat: route(
    "GET /chat",
    {
      summary: "Chat (WebSocket)",
      description:
        "A WebSocket handshake (RFC 6455, version 13) without a subprotocol. The messages are described in `/asyncapi.json`. With the cookie of a linked session, the game can show the name of its player. It works even when no game server is connected. While web chat is off, the handshake returns 404. With `server`, the socket receives messages from and sends to one game server only.",
      parameters: [
        queryParameter(
          "server",
          "Name of one game server to receive from and send to, if there are several. Default: all of them.",
          { type: "string" },
          "main",
        ),
      ],
      rate: "a handshake counts as one request. Messages have their own limits, described below.",
      auth: maybeSession,
      answers: { 101: { description: "The WebSocket is open.", headers: ["Upgrade"], bare: true } },
      errors: ["not_found", "unknown_server", "upgrade_required", "too_many_connections"],
    },
    () => () => errorAnswer("upgrade_required"),
  ),
});

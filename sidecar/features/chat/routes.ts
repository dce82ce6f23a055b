import { queryParameter } from "../../kernel/http/description.ts";
import { errorAnswer } from "../../kernel/http/errors.ts";
import { route, routes } from "../../kernel/http/route.ts";
import { maybeSession } from "../../kernel/http/session.ts";

export const chatRoutes = routes("Chat", {
  /** Handshakes are handled by `createSockets`, with the same errors; this route is for other requests. */
  openChat: route(
    "GET /chat",
    {
      summary: "The chat, a WebSocket",
      description:
        "A WebSocket handshake (RFC 6455, version 13) without a subprotocol. The messages are described in `/asyncapi.json`. With the cookie of a linked session, the game may show the name of its player. It works without a game server too. While an operator or the configuration has the chat of the web off, a handshake is answered 404. With `server` the socket hears and speaks to one game server alone.",
      parameters: [
        queryParameter(
          "server",
          "Name of the one game server that is heard and spoken to, where there are several. Without it: all of them.",
          { type: "string" },
          "main",
        ),
      ],
      rate: "a handshake counts as a request. Messages have rates of their own, which are told with them.",
      auth: maybeSession,
      answers: { 101: { description: "The WebSocket is open.", headers: ["Upgrade"], bare: true } },
      errors: ["not_found", "unknown_server", "upgrade_required", "too_many_connections"],
    },
    () => () => errorAnswer("upgrade_required"),
  ),
});

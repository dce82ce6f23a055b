import { expect, it } from "@jest/globals";
import { createSidecarMetrics } from "./metrics.ts";

it("the metrics are in the Prometheus text format, each with name, help and labels", async () => {
  const metrics = createSidecarMetrics();
  metrics.connectionRefused();
  metrics.request("/status", 200);
  metrics.request("/status", 200);
  metrics.request('/a"b\\\n', 404);
  metrics.chatFromWeb("sent");
  metrics.socketRefused("origin");
  metrics.limitReached("chat");
  metrics.webhookRequest({ hook: "a", origin: "https://b" }, "ok");
  metrics.gauge({ name: "feed_lag_seconds", help: "How far behind", read: () => ({ value: 1.5 }) });
  metrics.gauge({
    ...{ name: "game_players", help: "Players", labelNames: ["server"] },
    read: () => [
      { labels: { server: "" }, value: 1 },
      { labels: { server: "lobby" }, value: Promise.resolve(2) },
    ],
  });
  let waiting = [
    { labels: { hook: "a", origin: "o" }, value: 2 },
    { labels: { reason: "r", hook: "b" }, value: 0 },
  ];
  metrics.gauge({
    ...{ name: "webhook_waiting", help: "What waits", labelNames: ["hook", "origin", "reason", "from"] },
    read: async () => waiting,
  });
  await metrics.text();
  waiting = waiting.slice(1);
  const { type, body } = await metrics.text();
  expect(type).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(body).toBe(`# HELP web_bridge_http_requests_total Public requests that went through the router
# TYPE web_bridge_http_requests_total counter
web_bridge_http_requests_total{route="/status",status="200"} 2
web_bridge_http_requests_total{route="/a\\"b\\\\\\n",status="404"} 1

# HELP web_bridge_chat_from_web_total Chat lines from sockets, by answer
# TYPE web_bridge_chat_from_web_total counter
web_bridge_chat_from_web_total{answer="sent"} 1

# HELP web_bridge_chat_to_web_total Chat lines sent to sockets, counted once each
# TYPE web_bridge_chat_to_web_total counter
web_bridge_chat_to_web_total 0

# HELP web_bridge_websocket_refused_total Refused upgrades, by reason
# TYPE web_bridge_websocket_refused_total counter
web_bridge_websocket_refused_total{reason="origin"} 1

# HELP web_bridge_websocket_slow_readers_total Sockets closed since they did not read
# TYPE web_bridge_websocket_slow_readers_total counter
web_bridge_websocket_slow_readers_total 0

# HELP web_bridge_limits_reached_total Refusals for a rate of chat, link requests or sign-ins, by limit
# TYPE web_bridge_limits_reached_total counter
web_bridge_limits_reached_total{limit="chat"} 1

# HELP web_bridge_webhook_requests_total Requests to webhooks, by outcome
# TYPE web_bridge_webhook_requests_total counter
web_bridge_webhook_requests_total{hook="a",origin="https://b",outcome="ok"} 1

# HELP web_bridge_connections_refused_total Connections past a limit
# TYPE web_bridge_connections_refused_total counter
web_bridge_connections_refused_total 1

# HELP web_bridge_feed_lag_seconds How far behind
# TYPE web_bridge_feed_lag_seconds gauge
web_bridge_feed_lag_seconds 1.5

# HELP web_bridge_game_players Players
# TYPE web_bridge_game_players gauge
web_bridge_game_players{server=""} 1
web_bridge_game_players{server="lobby"} 2

# HELP web_bridge_webhook_waiting What waits
# TYPE web_bridge_webhook_waiting gauge
web_bridge_webhook_waiting{reason="r",hook="b"} 0
`);
});

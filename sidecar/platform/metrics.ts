import { Counter, Gauge, Registry } from "@prometheus-io/client";

/** Figures of the sidecar for Prometheus. */
export interface SidecarMetrics {
  connectionRefused(): void;
  request(route: string, status: number): void;
  chatFromWeb(answer: string): void;
  chatToWeb(): void;
  socketRefused(reason: string): void;
  limitReached(limit: string): void;
  slowReader(): void;
  webhookRequest(hook: { hook: string; origin: string }, outcome: string): void;
  gauge(gauge: FigureGauge): void;
  /** The text that a scraper gets, and its type. */
  text(): Promise<{ type: string; body: string }>;
}

/** A figure with one reading, or one for each set of labels, read at the moment of the scrape. */
export interface FigureGauge {
  name: string;
  help: string;
  labelNames?: readonly string[];
  read(): FigureReading | readonly FigureReading[] | Promise<FigureReading | readonly FigureReading[]>;
}

interface FigureReading {
  labels?: Readonly<Record<string, string>>;
  value: number | Promise<number>;
}

export function createSidecarMetrics(): SidecarMetrics {
  const registry = new Registry();
  const counter = <L extends string>(name: string, help: string, labelNames: L[]): Counter<L> =>
    new Counter({ name: `web_bridge_${name}`, help, labelNames, registers: [registry] });
  const requests = counter("http_requests_total", "Public requests that went through the router", [
    "route",
    "status",
  ]);
  const fromWeb = counter("chat_from_web_total", "Chat lines from sockets, by answer", ["answer"]);
  const toWeb = counter("chat_to_web_total", "Chat lines sent to sockets, counted once each", []);
  const refused = counter("websocket_refused_total", "Refused upgrades, by reason", ["reason"]);
  const slow = counter("websocket_slow_readers_total", "Sockets closed since they did not read", []);
  const limits = counter(
    "limits_reached_total",
    "Refusals for a rate of chat, link requests or sign-ins, by limit",
    ["limit"],
  );
  const hooks = counter("webhook_requests_total", "Requests to webhooks, by outcome", [
    "hook",
    "origin",
    "outcome",
  ]);
  const full = counter("connections_refused_total", "Connections past a limit", []);

  return {
    connectionRefused: () => full.inc(),
    request: (route, status) => requests.inc({ route, status }),
    chatFromWeb: answer => fromWeb.inc({ answer }),
    chatToWeb: () => toWeb.inc(),
    socketRefused: reason => refused.inc({ reason }),
    limitReached: limit => limits.inc({ limit }),
    slowReader: () => slow.inc(),
    webhookRequest: (hook, outcome) => hooks.inc({ ...hook, outcome }),
    gauge({ name, help, labelNames = [], read }) {
      new Gauge({
        name: `web_bridge_${name}`,
        help,
        labelNames: [...labelNames],
        registers: [registry],
        async collect() {
          const readings = [await read()].flat();
          const values = await Promise.all(readings.map(({ value }) => value));
          // Another sidecar may have taken over some labels.
          this.reset();
          for (const [i, { labels = {} }] of readings.entries()) this.set({ ...labels }, values[i] ?? 0);
        },
      });
    },
    text: async () => ({ type: registry.contentType, body: await registry.metrics() }),
  };
}

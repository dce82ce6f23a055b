import type { EventObject } from "../../../shared/public/events.ts";
import type { SchemaName } from "../../../shared/public/schemas.ts";
import {
  type ApiSettings,
  type EventDescription,
  type Parameter,
  queryParameter,
  size,
  time,
} from "../../kernel/http/description.ts";
import { DEFAULT_LIMIT, type EventType, MAX_EVENTS, PICKABLE } from "./stream/query.ts";
import { MAX_WAIT_MS, OFTEN_MS } from "./stream/streams.ts";

const event = (description: string, data: SchemaName, id = true): EventDescription => ({
  description,
  id,
  data: { $ref: `#/components/schemas/${data}` },
});

/** Every event of `GET /events`, by its name. */
export const STREAM_EVENTS: Record<EventType | EventObject["event"], EventDescription> = {
  chat: event("A chat message from the game or the website. None while web chat is off.", "ChatEvent"),
  join: event("A player joined, or is no longer hidden.", "PlayerEvent"),
  leave: event(
    "A player left, or is now hidden. When the game server goes offline, every player leaves.",
    "PlayerEvent",
  ),
  death: event("A player died. A hidden killer is omitted.", "DeathEvent"),
  server: event("The game server went online or offline.", "ServerEvent"),
  status: event("The body of `GET /status`: the current one, then each change.", "Metrics", false),
  players: event("The body of `GET /players`: the current one, then each change.", "Players", false),
  gap: event(
    "Some of the missed events are no longer available. It cannot be selected in `types`.",
    "GapEvent",
  ),
};

const ID = { type: "string" };
const EXAMPLE_ID = "1767225600000-1";

/** Parameters of `GET /events`. */
export const EVENT_PARAMETERS: readonly Parameter[] = [
  {
    ...queryParameter(
      "types",
      "Event types, separated by commas, or as `types=join&types=leave`. Default: all except `status` and `players`.",
      { type: "array", minItems: 1, items: { type: "string", enum: PICKABLE } },
      ["join", "leave"],
    ),
    style: "form",
    explode: false,
  },
  queryParameter(
    "since",
    "Id of the last event received. `0`: all stored events. `lastEventId`, which polyfills of `EventSource` send, has the same meaning and takes precedence.",
    ID,
    EXAMPLE_ID,
  ),
  queryParameter("format", "Returns JSON regardless of `Accept`.", { type: "string", const: "json" }, "json"),
  queryParameter(
    "limit",
    "Most events in a JSON response.",
    { type: "integer", minimum: 1, maximum: MAX_EVENTS, default: DEFAULT_LIMIT },
    DEFAULT_LIMIT,
  ),
  queryParameter(
    "server",
    "Name of a game server, if there are several: only its events, and web messages to it or to all game servers. `status` and `players` are its own; by default those of the first one.",
    { type: "string", minLength: 1 },
    "main",
  ),
  queryParameter(
    "heartbeat",
    "Sends heartbeats more often, so that a client notices a dead network sooner.",
    { type: "string", const: "often" },
    "often",
  ),
  {
    ...queryParameter(
      "Last-Event-ID",
      "Like `since`, and takes precedence. Browsers send it when they reconnect. An empty value is ignored.",
      ID,
      EXAMPLE_ID,
    ),
    in: "header",
  },
];

/** The description of `GET /events` for a configuration. */
export function aboutEvents({ events, heartbeatInterval, limits }: ApiSettings): string {
  const retention =
    events.keep > 0
      ? `The service stores the newest ${events.keep} events of the last ${time(events.keepFor)}, also across restarts.`
      : "The service stores no events for clients that were disconnected.";
  return [
    `Server-sent events, for \`EventSource\` and other clients, from now on or after \`since\`. Clients that cannot use a stream can request recent events as JSON. ${retention} Each event has an opaque id, which increases and is the same for all clients. With the id of the last event, a client gets every later event once, in order, and then new ones.`,
    "If some events after that id are no longer available, or the id isn't recognised, a `gap` event comes first. Then come all stored events after the id, or all stored events if the id isn't recognised; some of these may be known already, by the same ids. Continue from the id of the gap.",
    `The stream starts with \`retry: 2000\` and a comment with the interval of heartbeats, such as \`: heartbeat every 20000 ms\`. A heartbeat comment comes every ${time(heartbeatInterval)}, with \`heartbeat=often\` every ${time(Math.min(heartbeatInterval, OFTEN_MS))}; it includes the current id if the last events were not selected. \`status\` and \`players\` have no id. The service accepts ${limits.eventClients} streams, ${limits.eventClientsPerAddress} of them from one address, and disconnects a client that leaves ${size(limits.websocketBufferBytes)} unread. When the service stops, the stream ends.`,
    `Rate limit: a stream counts as one request, and each 16 KiB of missed events as one more of the ${limits.requestsPerMinute} requests a minute of the address. Over the limit, the stream pauses, with heartbeats. After ${time(MAX_WAIT_MS)} it ends; reconnect with the id of the last event to continue without a loss.`,
    "`EventSource` gives up after any response except 200: create a new one after a while.",
    'With `Accept: application/json` or `format=json` the response is a list of stored events: the newest `limit` events, or with `since` the first `limit` after it. A gap is `{"event":"gap"}` as the first element. `status` and `players` are not included. Each 16 KiB of a list (uncompressed) counts as one more request.',
  ].join("\n\n");
}

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
  chat: event(
    "A line of chat, of the game or of the web. None while the chat of the web is off.",
    "ChatEvent",
  ),
  join: event("A player came, or does not hide any more.", "PlayerEvent"),
  leave: event("A player went, or hides. After `away` everybody who was there leaves.", "PlayerEvent"),
  death: event("A player died. Without a killer who is hidden.", "DeathEvent"),
  server: event("The game server began or ceased to report.", "ServerEvent"),
  status: event("The body of `GET /status`: the present one, then each that differs.", "Metrics", false),
  players: event("The body of `GET /players`, likewise.", "Players", false),
  gap: event("Not all that was missed follows. It cannot be picked.", "GapEvent"),
};

const ID = { type: "string" };
const EXAMPLE_ID = "1767225600000-1";

/** Parameters of `GET /events`. */
export const EVENT_PARAMETERS: readonly Parameter[] = [
  {
    ...queryParameter(
      "types",
      "Names of the events that are wanted, with commas between; `types=join&types=leave` is the same. Without it: all but `status` and `players`.",
      { type: "array", minItems: 1, items: { type: "string", enum: PICKABLE } },
      ["join", "leave"],
    ),
    style: "form",
    explode: false,
  },
  queryParameter(
    "since",
    "Id of the event that was seen last. `0`: everything that is kept. `lastEventId`, which polyfills of `EventSource` send, is the same and wins over it.",
    ID,
    EXAMPLE_ID,
  ),
  queryParameter("format", "For JSON whatever `Accept` says.", { type: "string", const: "json" }, "json"),
  queryParameter(
    "limit",
    "Most events of a JSON answer.",
    { type: "integer", minimum: 1, maximum: MAX_EVENTS, default: DEFAULT_LIMIT },
    DEFAULT_LIMIT,
  ),
  queryParameter(
    "server",
    "Name of one of several game servers: what happens there, and what is written on the web to it or to all of them. `status` and `players` are its own; without it, those of the first one.",
    { type: "string", minLength: 1 },
    "main",
  ),
  queryParameter(
    "heartbeat",
    "For a reader that wants to know soon that its network is dead.",
    { type: "string", const: "often" },
    "often",
  ),
  {
    ...queryParameter(
      "Last-Event-ID",
      "As `since`, and before it: browsers send it when they connect again. An empty one is as none.",
      ID,
      EXAMPLE_ID,
    ),
    in: "header",
  },
];

/** The description of `GET /events` for a configuration. */
export function aboutEvents({ events, heartbeatInterval, limits }: ApiSettings): string {
  const kept =
    events.keep > 0
      ? `Kept are the newest ${events.keep} events of the last ${time(events.keepFor)}, over restarts of the service too.`
      : "Nothing is kept for readers who were away.";
  return [
    `Server-sent events, for \`EventSource\` and whatever else reads them: lines that say what happens, from now on or from \`since\` on. ${kept} Each event has an id that is opaque, rises, and is the same for every reader; it is never given to another event. With the id of the event that it saw last a reader gets what came after it, in order and each once, and goes on live.`,
    "Where something after that id is gone, or the id is none of this service, `gap` comes first, and then everything that is kept after it; where the id is none of this service, everything that is kept, of which some may have been seen before, under the same ids. The id of the gap is the place to go on from.",
    `The stream begins with \`retry: 2000\` and a comment that names the interval of heartbeats, such as \`: heartbeat every 20000 ms\`. Another comment comes every ${time(heartbeatInterval)}, with \`heartbeat=often\` every ${time(Math.min(heartbeatInterval, OFTEN_MS))}, and with it a line with the id of the present place where the reader has not picked what came last. \`status\` and \`players\` have no id. The service takes ${limits.eventClients} streams, ${limits.eventClientsPerAddress} of one address, and cuts off a reader that leaves ${size(limits.websocketBufferBytes)} unread. When the service stops, the stream ends.`,
    `The rate limit counts the request for a stream once. Each whole 16 KiB of what its reader has missed counts as one more of ${limits.requestsPerMinute} requests a minute of its address. Past that a stream waits, with heartbeats. One that has waited for ${time(MAX_WAIT_MS)} ends, and nothing is lost: with the id that it saw last the reader goes on where it was.`,
    "`EventSource` gives up after any answer but 200: make a new one after a while.",
    'With `Accept: application/json` or `format=json` the answer is a list of what is kept: the newest `limit` events, or with `since` the first `limit` after it. A gap is `{"event":"gap"}` as the first element. `status` and `players` are not in it. Each whole 16 KiB of a list counts against the rate limit as one more request, before it is compressed.',
  ].join("\n\n");
}

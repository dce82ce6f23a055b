import type { IncomingMessage } from "node:http";
import { STORED_EVENTS } from "../../../../shared/public/words.ts";
import type { Result } from "../../../../shared/result.ts";
import { type QueryFault, queryFault, readLimit, readParameters } from "../../../kernel/http/query.ts";
import { type FeedEntry, serverOf } from "../rules/window.ts";

/** Events that readers may pick, the stored ones first. */
export const PICKABLE = [...STORED_EVENTS, "status", "players"] as const;
export type EventType = (typeof PICKABLE)[number];

/** Default number of events in a JSON answer. */
export const DEFAULT_LIMIT = 100;
/** Events in a JSON answer. */
export const MAX_EVENTS = 500;

/**
 * A reader's selection: one bit for each event, and above them the index of a game server plus 1, or 0 for all. Readers with the same
 * selection share their bytes.
 */
export type EventFilter = number;

/** Bit for frequent heartbeats. */
const FREQUENT: EventFilter = 1 << PICKABLE.length;
export const wantsFrequent = (types: EventFilter): boolean => (types & FREQUENT) !== 0;

const SERVER_SHIFT = PICKABLE.length + 1;
/** Index of the picked game server plus 1; 0: all of them. */
const serverBits = (types: EventFilter): number => types >> SERVER_SHIFT;
/** Index of the game server whose figures are sent: the first one if none was picked. */
export const serverIndexOf = (types: EventFilter): number => Math.max(0, serverBits(types) - 1);

export const bitOf = (type: EventType): EventFilter => 1 << PICKABLE.indexOf(type);
const picked = (types: readonly EventType[]): EventFilter =>
  types.reduce((bits, type) => bits | bitOf(type), 0);
/** The default selection. */
export const EVERYTHING_KEPT = picked(STORED_EVENTS);

/** Whether a reader with this selection gets an entry; `servers`: names of the game servers, `hasChat`: whether chat may be read now. */
export const gets = (
  types: EventFilter,
  entry: FeedEntry,
  { servers, hasChat }: { servers: readonly string[]; hasChat: boolean },
): boolean =>
  (types & bitOf(entry.event.event)) !== 0 &&
  entry.withheld === undefined &&
  (entry.event.event !== "chat" || hasChat) &&
  (serverBits(types) === 0 || isOf(servers[serverBits(types) - 1], entry, servers));

function isOf(server: string | undefined, { event }: FeedEntry, [first = ""]: readonly string[]): boolean {
  const of = serverOf(event, first);
  return of === undefined || of === server;
}

/** Parameters that polyfills of `EventSource` use instead of the header `Last-Event-ID`. */
const LAST_ID_NAMES = ["lastEventId", "lastEventID", "Last-Event-ID", "last-event-id", "last_event_id"];

/** The query of `GET /events`. */
export interface EventsQuery {
  form: "stream" | "json";
  types: EventFilter;
  /** the last id that the reader has seen */
  since: string | undefined;
  /** for JSON only */
  limit: number;
}

const isPickable = (name: string): name is EventType => PICKABLE.some(type => type === name);

/** Comma-separated names, in one or several parameters: generated clients do either. */
function readTypes(written: readonly string[]): EventFilter | undefined {
  if (written.length === 0) return EVERYTHING_KEPT;
  const names = written.join().split(",");
  return names.every(isPickable) ? picked(names) : undefined;
}

/** Whether the reader accepts JSON but no stream, by its `Accept` header. */
function wantsJson({ headers: { accept = "" } }: IncomingMessage): boolean {
  const types = accept.toLowerCase();
  return types.includes("application/json") && !types.includes("text/event-stream");
}

/** The bits of the picked game server; undefined if there is none with this name. */
function readServer(written: string | null, servers: readonly string[]): EventFilter | undefined {
  if (written === null) return 0;
  const place = servers.indexOf(written);
  return place < 0 ? undefined : (place + 1) << SERVER_SHIFT;
}

/** Reads the query of a request; `servers`: names of the game servers. */
export function readQuery(req: IncomingMessage, servers: readonly string[]): Result<EventsQuery, QueryFault> {
  const { url = "" } = req;
  const names = ["since", "format", "limit", "heartbeat", "server"];
  const read = readParameters(url, names, ["types"], LAST_ID_NAMES);
  if ("fault" in read) return read;
  const query = read.value;
  const format = query.get("format");
  const events = readTypes(query.getAll("types"));
  const heartbeat = query.get("heartbeat");
  const limit = readLimit(query, { usual: DEFAULT_LIMIT, most: MAX_EVENTS });
  const server = readServer(query.get("server"), servers);
  if (format !== null && format !== "json") return queryFault("format", "`json`, or omitted for a stream");
  if (events === undefined)
    return queryFault("types", `a list of ${PICKABLE.join(", ")}, with commas between`);
  if ("fault" in limit) return limit;
  if (server === undefined)
    return queryFault("server", "the name of a game server, as `GET /servers` lists it");
  if (heartbeat !== null && heartbeat !== "often") return queryFault("heartbeat", "`often`, or left out");
  const types = (heartbeat === null ? events : events | FREQUENT) | server;
  // A reconnecting browser sends the last event id in the header; its URL is still the first one.
  const ids = [
    req.headers["last-event-id"],
    ...LAST_ID_NAMES.map(name => query.get(name)),
    query.get("since"),
  ];
  const since = ids.map(id => `${id ?? ""}`).find(id => id !== "");
  const form = format === "json" || wantsJson(req) ? "json" : "stream";
  return { value: { form, types, since, limit: limit.value } };
}

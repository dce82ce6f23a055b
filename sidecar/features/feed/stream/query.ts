import type { IncomingMessage } from "node:http";
import { KEPT_EVENTS } from "../../../../shared/public/words.ts";
import type { Result } from "../../../../shared/result.ts";
import { type QueryFault, queryFault, readParameters } from "../../../kernel/http/body.ts";
import { type FeedEntry, serverOf } from "../rules/window.ts";

/** Events that readers may pick, those that are kept first. */
export const PICKABLE = [...KEPT_EVENTS, "status", "players"] as const;
export type EventType = (typeof PICKABLE)[number];

/** Events of one JSON answer where nothing else is asked for. */
export const DEFAULT_LIMIT = 100;
/** Most events of one JSON answer. */
export const MOST_EVENTS = 500;

/**
 * What a reader has picked, one bit for each event, and above them the place of a game server, from 1 on where it is one alone:
 * readers who picked the same share their bytes.
 */
export type EventFilter = number;

/** Heartbeats more often than usual. */
const OFTEN: EventFilter = 1 << PICKABLE.length;
export const wantsOften = (types: EventFilter): boolean => (types & OFTEN) !== 0;

const SERVER_SHIFT = PICKABLE.length + 1;
/** Place of the game server that was picked; 0: all of them. */
const placeOf = (types: EventFilter): number => types >> SERVER_SHIFT;
/** Place of the game server whose figures are told, from 0 on: of the first one where none was picked. */
export const serverPlaceOf = (types: EventFilter): number => Math.max(0, placeOf(types) - 1);

export const bitOf = (type: EventType): EventFilter => 1 << PICKABLE.indexOf(type);
const picked = (types: readonly EventType[]): EventFilter =>
  types.reduce((bits, type) => bits | bitOf(type), 0);
/** What readers get who pick nothing. */
export const EVERYTHING_KEPT = picked(KEPT_EVENTS);

/**
 * Whether a reader who picked these of the game servers of these names gets an entry; `hasChat`: whether chat may be read at the
 * moment.
 */
export const gets = (
  types: EventFilter,
  entry: FeedEntry,
  { servers, hasChat }: { servers: readonly string[]; hasChat: boolean },
): boolean =>
  (types & bitOf(entry.event.event)) !== 0 &&
  entry.withheld === undefined &&
  (entry.event.event !== "chat" || hasChat) &&
  (placeOf(types) === 0 || isOf(servers[placeOf(types) - 1], entry, servers));

function isOf(server: string | undefined, { event }: FeedEntry, [first = ""]: readonly string[]): boolean {
  const of = serverOf(event, first);
  return of === undefined || of === server;
}

/** Parameters in which polyfills of `EventSource` send what they cannot send in the header `Last-Event-ID`. */
const SEEN = ["lastEventId", "lastEventID", "Last-Event-ID", "last-event-id", "last_event_id"];

/** What is asked for with `GET /events`. */
export interface EventsQuery {
  form: "stream" | "json";
  types: EventFilter;
  /** the id that the reader has seen last */
  since: string | undefined;
  /** of JSON only */
  limit: number;
}

const isPickable = (name: string): name is EventType => PICKABLE.some(type => type === name);

/** Names with commas between, the name of the parameter once or before each: what makes clients of a description writes either. */
function readTypes(written: readonly string[]): EventFilter | undefined {
  if (written.length === 0) return EVERYTHING_KEPT;
  const names = written.join().split(",");
  return names.every(isPickable) ? picked(names) : undefined;
}

function readLimit(written: string | null): number | undefined {
  if (written === null) return DEFAULT_LIMIT;
  const limit = /^\d{1,9}$/.test(written) ? Number(written) : 0;
  return limit >= 1 && limit <= MOST_EVENTS ? limit : undefined;
}

/** Whether the reader takes JSON and, as far as it says, no stream. */
function wantsJson({ headers: { accept = "" } }: IncomingMessage): boolean {
  const types = accept.toLowerCase();
  return types.includes("application/json") && !types.includes("text/event-stream");
}

/** The bits of the game server that is picked; undefined where there is none of this name. */
function readServer(written: string | null, servers: readonly string[]): EventFilter | undefined {
  if (written === null) return 0;
  const place = servers.indexOf(written);
  return place < 0 ? undefined : (place + 1) << SERVER_SHIFT;
}

/** What a request asks for, of the game servers of these names. */
export function readQuery(req: IncomingMessage, servers: readonly string[]): Result<EventsQuery, QueryFault> {
  const { url = "" } = req;
  const names = ["since", "format", "limit", "heartbeat", "server", ...SEEN];
  const read = readParameters(url, names, ["types"]);
  if ("fault" in read) return read;
  const query = read.value;
  const format = query.get("format");
  const events = readTypes(query.getAll("types"));
  const heartbeat = query.get("heartbeat");
  const limit = readLimit(query.get("limit"));
  const server = readServer(query.get("server"), servers);
  if (format !== null && format !== "json") return queryFault("format", "`json`, or left out for a stream");
  if (events === undefined)
    return queryFault("types", `a list of ${PICKABLE.join(", ")}, with commas between`);
  if (limit === undefined) return queryFault("limit", `a whole number from 1 to ${MOST_EVENTS}`);
  if (server === undefined)
    return queryFault("server", "the name of a game server, as `GET /servers` lists it");
  if (heartbeat !== null && heartbeat !== "often") return queryFault("heartbeat", "`often`, or left out");
  const types = (heartbeat === null ? events : events | OFTEN) | server;
  // A browser that connects again names the event that it saw last; the address is still the one of its first time.
  const ids = [req.headers["last-event-id"], ...SEEN.map(name => query.get(name)), query.get("since")];
  const since = ids.map(id => `${id ?? ""}`).find(id => id !== "");
  const form = format === "json" || wantsJson(req) ? "json" : "stream";
  return { value: { form, types, since, limit } };
}

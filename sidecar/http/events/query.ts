import type { Request } from "express";
import type { FeedEvent } from "../../../client/types.ts";
import type { FeedEntry } from "../../domain/feed.ts";

/** Events that readers may pick, those that are kept first. */
export const PICKABLE = ["chat", "join", "leave", "death", "server", "status", "players"] as const;
export type EventType = (typeof PICKABLE)[number];

/** What readers get who pick nothing: everything that is kept. */
const KEPT: readonly EventType[] = PICKABLE.slice(0, 5) satisfies readonly (FeedEvent["event"] | EventType)[];

const DEFAULT_LIMIT = 100;
/** Most events of one JSON answer. */
export const MOST_EVENTS = 500;

/** Events picked, one bit for each: readers who picked the same share their bytes. */
export type Picked = number;

export const bitOf = (type: EventType): Picked => 1 << PICKABLE.indexOf(type);
const picked = (types: readonly EventType[]): Picked => types.reduce((bits, type) => bits | bitOf(type), 0);
export const EVERYTHING_KEPT = picked(KEPT);

/** Whether a reader who picked these gets an entry; `hasChat`: whether chat may be read at the moment. */
export const gets = (types: Picked, { event, withheld }: FeedEntry, hasChat: boolean): boolean =>
  (types & bitOf(event.event)) !== 0 && withheld === undefined && (event.event !== "chat" || hasChat);

/** What is asked for with `GET /events`. */
export interface EventsQuery {
  form: "stream" | "json";
  types: Picked;
  /** the id that the reader has seen last */
  since: string | undefined;
  /** of JSON only */
  limit: number;
}

const isPickable = (name: string): name is EventType => PICKABLE.some(type => type === name);

function readTypes(written: unknown): Picked | undefined {
  if (written === undefined) return EVERYTHING_KEPT;
  const names = typeof written === "string" ? written.split(",") : [];
  return names.length > 0 && names.every(isPickable) ? picked(names) : undefined;
}

function readLimit(written: unknown): number | undefined {
  if (written === undefined) return DEFAULT_LIMIT;
  const limit = typeof written === "string" && /^\d{1,9}$/.test(written) ? Number(written) : 0;
  return limit >= 1 && limit <= MOST_EVENTS ? limit : undefined;
}

/** What a request asks for; undefined where it cannot be told. */
export function readQuery(req: Request): EventsQuery | undefined {
  const { format, since: asked, ...query } = req.query;
  const types = readTypes(query.types);
  const limit = readLimit(query.limit);
  const isReadable =
    (format === undefined || format === "json") && (asked === undefined || typeof asked === "string");
  if (!isReadable || types === undefined || limit === undefined) return undefined;
  const wantsJson = req.accepts(["text/event-stream", "application/json"]) === "application/json";
  // A browser that connects again names the event that it saw last; the address is still the one of its first time.
  const since = req.get("Last-Event-ID") || asked || undefined;
  return { form: format === "json" || wantsJson ? "json" : "stream", types, since, limit };
}

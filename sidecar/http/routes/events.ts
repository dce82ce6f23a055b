import type { IncomingMessage, ServerResponse } from "node:http";
import type { Request, Response } from "express";
import type { EventObject } from "../../../client/types.ts";
import { addressKey, clientAddress } from "../client-address.ts";
import { corsHeaders } from "../cors.ts";
import { sendError } from "../errors.ts";
import { entryObject } from "../events/frames.ts";
import { type EventsQuery, gets, readQuery } from "../events/query.ts";
import type { Streams } from "../events/streams.ts";
import { createTakeOver } from "../events/take-over.ts";
import { COMMON_HEADERS, retryAfter } from "../headers.ts";
import type { ListenerDeps } from "./deps.ts";

const STREAM_HEADERS = {
  ...COMMON_HEADERS,
  "Content-Type": "text/event-stream",
  // Proxies pass it on as it comes: nginx by the second, others since it may not be changed.
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
  // It ends with its connection, so that what is written for one reader fits all of them.
  Connection: "close",
};

/** Whether a request is `GET /events` as nearly everybody writes it. */
export const asksForEvents = ({ method, url = "" }: IncomingMessage): boolean =>
  method === "GET" && /^\/events(\?|$)/.test(url);

export type Events = ReturnType<typeof createEvents>;

/** `GET /events`: what happens and what has happened, as a stream of server-sent events or as JSON. */
export function createEvents(deps: ListenerDeps, streams: Streams) {
  const { addresses, api, checkOrigin, feed, metrics, trust, webChat } = deps;
  const { eventClients, eventClientsPerAddress } = api.limits;
  const takeOver = createTakeOver();

  /** Begins the stream that a request asks for; false where it asks for something else, there are too many, or an answer comes before. */
  function stream(req: IncomingMessage, res: ServerResponse, query = readQuery(req)): boolean {
    if (query?.form !== "stream") return false;
    const address = addressKey(clientAddress(req, trust) ?? "");
    if (streams.count() >= eventClients || streams.countOf(address) >= eventClientsPerAddress) return false;
    const head = headOf({ ...STREAM_HEADERS, ...(checkOrigin(req) === "listed" ? corsHeaders(req) : {}) });
    return takeOver.begin(req, res, raw => {
      metrics.request("/events", 200);
      streams.open(raw, head, { address, types: query.types, since: query.since });
    });
  }

  function kept({ types, since, limit }: EventsQuery): EventObject[] {
    const { gap, entries } = feed.after(since);
    const hasChat = webChat.mode() !== "off";
    const wanted = entries.filter(entry => gets(types, entry, hasChat));
    const shown = since === undefined ? wanted.slice(-limit) : wanted.slice(0, limit);
    return [...(gap ? [{ event: "gap" as const }] : []), ...shown.map(entryObject)];
  }

  const route = (req: Request, res: Response): Promise<void> | undefined => {
    const query = readQuery(req);
    if (query === undefined) sendError(res, "invalid_query");
    else if (query.form === "json") return feed.sync().then(() => void res.json(kept(query)));
    else if (req.method === "HEAD") {
      for (const [name, value] of Object.entries(STREAM_HEADERS)) res.setHeader(name, value);
      res.end();
    } else if (!stream(req, res, query))
      sendError(res, "too_many_connections", retryAfter(addresses.retryAfterSeconds));
    return undefined;
  };
  return { stream, route, take: takeOver.take };
}

const headOf = (headers: Record<string, string>): Buffer =>
  Buffer.from(
    ["HTTP/1.1 200 OK", ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), "", ""].join(
      "\r\n",
    ),
    "latin1",
  );

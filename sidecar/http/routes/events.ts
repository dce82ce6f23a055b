import type { Request, RequestHandler, Response } from "express";
import type { EventObject } from "../../../client/types.ts";
import { addressKey, clientAddress } from "../client-address.ts";
import { sendError } from "../errors.ts";
import { entryObject } from "../events/frames.ts";
import { type EventsQuery, gets, readQuery } from "../events/query.ts";
import type { Streams } from "../events/streams.ts";
import { retryAfter } from "../headers.ts";
import type { ListenerDeps } from "./deps.ts";

const STREAM_HEADERS = {
  "Content-Type": "text/event-stream",
  // Proxies pass it on as it comes: nginx by the second, others since it may not be changed.
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
  // It ends with its connection, so that what is written for one reader fits all of them.
  Connection: "close",
} as const;

/** `GET /events`: what happens and what has happened, as a stream of server-sent events or as JSON. */
export function eventsRoute(deps: ListenerDeps, streams: Streams): RequestHandler {
  const { addresses, api, feed, trust, webChat } = deps;
  const { eventClients, eventClientsPerAddress } = api.limits;

  const isFull = (address: string): boolean =>
    streams.count() >= eventClients || streams.countOf(address) >= eventClientsPerAddress;

  function stream(req: Request, res: Response, address: string, { types, since }: EventsQuery): void {
    res.removeHeader("Transfer-Encoding");
    res.writeHead(200, STREAM_HEADERS);
    res.flushHeaders();
    const { socket } = res;
    if (req.method === "HEAD") res.end();
    // Asked for behind a request that has no answer yet: it would have to wait until then.
    else if (socket === null) req.socket.destroy();
    else streams.open(res, socket, address, types, since);
  }

  function kept({ types, since, limit }: EventsQuery): EventObject[] {
    const { gap, entries } = feed.after(since);
    const hasChat = webChat.mode() !== "off";
    const wanted = entries.filter(entry => gets(types, entry, hasChat));
    const shown = since === undefined ? wanted.slice(-limit) : wanted.slice(0, limit);
    return [...(gap ? [{ event: "gap" as const }] : []), ...shown.map(entryObject)];
  }

  return (req, res) => {
    const query = readQuery(req);
    if (query === undefined) return sendError(res, "invalid_query");
    if (query.form === "json") return void res.json(kept(query));
    const address = addressKey(clientAddress(req, trust) ?? "");
    if (isFull(address)) sendError(res, "too_many_connections", retryAfter(addresses.retryAfterSeconds));
    else stream(req, res, address, query);
  };
}

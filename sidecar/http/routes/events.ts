import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Request, Response } from "express";
import { BEGINNING } from "../../domain/feed.ts";
import { addressKey, clientAddress } from "../client-address.ts";
import { corsHeaders } from "../cors.ts";
import { errorAnswer, sendError, writeError } from "../errors.ts";
import { createAnswers } from "../events/answers.ts";
import { listBody } from "../events/frames.ts";
import { type EventsQuery, gets, readQuery } from "../events/query.ts";
import type { Streams } from "../events/streams.ts";
import { createTakeOver } from "../events/take-over.ts";
import { COMMON_HEADERS, makeLast } from "../headers.ts";
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

/** Whether a request is `GET /events`, whose address may be written out with the name of the service. */
export const asksForEvents = ({ method, url = "" }: IncomingMessage): boolean =>
  method === "GET" && /^(https?:\/\/[^/?#]*)?\/events([?#]|$)/.test(url);

export type Events = ReturnType<typeof createEvents>;

/** `GET /events`: what happens and what has happened, as a stream of server-sent events or as JSON. */
export function createEvents(deps: ListenerDeps, streams: Streams) {
  const { addresses, api, checkOrigin, clock, feed, inOrder, metrics, rates, trust, webChat } = deps;
  const { eventClients, eventClientsPerAddress } = api.limits;
  const takeOver = createTakeOver();
  const addressOf = (req: IncomingMessage): string => addressKey(clientAddress(req, trust) ?? "");

  const isFull = (address: string): boolean =>
    streams.count() >= eventClients || streams.countOf(address) >= eventClientsPerAddress;

  /**
   * Begins the stream that a request asks for; false where it asks for something else, there are too many, or an answer comes
   * before. `taken`: the answer of `addresses`, which may come when the connection is no longer one of HTTP.
   */
  function stream(
    req: IncomingMessage,
    res: ServerResponse,
    taken: number | Promise<number> = -1,
    query = readQuery(req),
  ): boolean {
    if (query?.form !== "stream") return false;
    const address = addressOf(req);
    if (isFull(address)) return false;
    const cors = checkOrigin(req) === "listed" ? corsHeaders(req) : {};
    const refuse = (raw: Duplex, path: string, code: "rate_limited" | "too_many_connections"): void => {
      const answer = errorAnswer(code, addresses.later);
      metrics.request(path, answer.status);
      writeError(raw, { ...answer, headers: { ...answer.headers, ...cors } });
    };
    const begin = (raw: Duplex): void => {
      metrics.request("/events", 200);
      const head = headOf({ ...STREAM_HEADERS, ...cors });
      streams.open(raw, head, { address, types: query.types, since: query.since });
    };
    return takeOver.begin(req, res, raw =>
      inOrder(raw, taken, (over, isLate) => {
        if (isLate && raw.destroyed) return;
        if (over >= 0) refuse(raw, "none", "rate_limited");
        else if (isFull(address)) refuse(raw, "/events", "too_many_connections");
        else begin(raw);
      }),
    );
  }

  function kept({ types, since, limit }: EventsQuery): Buffer {
    const { gap, entries } = feed.after(since ?? BEGINNING);
    const hasChat = webChat.mode() !== "off";
    const wanted = entries.filter(entry => gets(types, entry, hasChat));
    const shown = since === undefined ? wanted.slice(-limit) : wanted.slice(0, limit);
    return listBody(gap, shown);
  }

  /** Of the window of events, and of whether there is chat in it. */
  const state = (): string => `${feed.state()} ${webChat.mode() !== "off"}`;
  const answer = createAnswers({ clock, rates, state, list: kept, pay: addresses.pay });

  const route = (req: Request, res: Response): Promise<void> | undefined => {
    const query = readQuery(req);
    if (query === undefined) sendError(res, "invalid_query");
    else if (query.form === "json") return feed.sync().then(() => answer(req, res, query, addressOf(req)));
    else if (req.method === "HEAD") {
      for (const [name, value] of Object.entries(STREAM_HEADERS)) res.setHeader(name, value);
      makeLast(res);
      res.end();
    } else if (!stream(req, res, -1, query)) sendError(res, "too_many_connections", addresses.later);
    return undefined;
  };
  return { stream, route, miss: takeOver.miss, take: takeOver.take };
}

const headOf = (headers: Record<string, string>): Buffer =>
  Buffer.from(
    ["HTTP/1.1 200 OK", ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), "", ""].join(
      "\r\n",
    ),
    "latin1",
  );

import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Request } from "express";
import { dropOldest } from "../../../shared/drop-oldest.ts";
import type { Admission } from "../../kernel/http/admission.ts";
import { beginAnswer, retryAfter, SHORT_BYTES, takesGzip } from "../../kernel/http/answer.ts";
import { errorAnswer, errorWith } from "../../kernel/http/errors.ts";
import { anybody, route, routes } from "../../kernel/http/route.ts";
import type { WebChat } from "../chat/web-chat.ts";
import { aboutEvents, EVENT_PARAMETERS, STREAM_EVENTS } from "./description.ts";
import type { Feed } from "./feed.ts";
import { BEGINNING } from "./rules/window.ts";
import { listBody } from "./stream/frames.ts";
import { type EventsQuery, gets, readQuery } from "./stream/query.ts";
import type { EventStreams } from "./stream/streams.ts";

export interface FeedRoutesDeps {
  admission: Pick<Admission, "addressOf" | "refusalAnswers" | "beginStream" | "chargeBytes">;
  feed: Feed;
  /** marks a connection as a stream */
  keepWhenBlocked(socket: Socket): void;
  streams: EventStreams;
  webChat: Pick<WebChat, "mode">;
  servers: { all: readonly { name: string }[] };
}

const STREAM = {
  status: 200,
  headers: {
    "Content-Type": "text/event-stream",
    // Stops proxies from buffering: nginx by the second header, others since it may not be transformed.
    "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no",
    Connection: "close",
  },
} as const;

/** Cached lists: a page requests the same list for all of its visitors. */
const MAX_CACHED = 8;

const compress = promisify<Buffer, Buffer>(gzip);

interface List {
  body: Buffer;
  /** created when first requested */
  compressed?: Promise<Buffer>;
}

/** Creates the lists for JSON requests. */
function createLists(
  { feed, webChat }: Pick<FeedRoutesDeps, "feed" | "webChat">,
  servers: readonly string[],
): (query: EventsQuery) => List {
  /** valid until the next event */
  const lists = new Map<string, List>();
  let listsOf = "";

  function build({ types, since, limit }: EventsQuery): Buffer {
    const { gap, entries } = feed.after(since ?? BEGINNING);
    const reader = { servers, hasChat: webChat.mode() !== "off" };
    const selected = entries.filter(entry => gets(types, entry, reader));
    const entriesShown = since === undefined ? selected.slice(-limit) : selected.slice(0, limit);
    return listBody(gap, entriesShown);
  }

  return query => {
    const now = `${feed.state()} ${webChat.mode() !== "off"}`;
    if (now !== listsOf) lists.clear();
    listsOf = now;
    const name = `${query.types} ${query.limit} ${query.since}`;
    const list = lists.get(name) ?? { body: build(query) };
    lists.set(name, list);
    dropOldest(lists, MAX_CACHED);
    return list;
  };
}

export const feedRoutes = routes("Game server", {
  getEvents: route(
    "GET /events",
    {
      summary: "Events, as a stream or as a list",
      description: aboutEvents,
      rate: "",
      auth: anybody,
      parameters: EVENT_PARAMETERS,
      answers: { 200: { description: "The events.", body: "Events", stream: STREAM_EVENTS } },
      errors: ["invalid_query", "server_unavailable", "too_many_connections"],
    },
    (deps: FeedRoutesDeps) => {
      const { admission, feed, keepWhenBlocked, streams } = deps;
      const servers = deps.servers.all.map(({ name }) => name);
      const listFor = createLists(deps, servers);

      async function listAnswer(req: Request, query: EventsQuery) {
        await feed.sync();
        const list = listFor(query);
        const { body } = list;
        const waitSeconds = await admission.chargeBytes(admission.addressOf(req), body.length);
        if (waitSeconds > 0) return errorAnswer("rate_limited", retryAfter(waitSeconds));
        const status = 200 as const;
        const headers: OutgoingHttpHeaders = { "Content-Type": "application/json; charset=utf-8" };
        if (body.length <= SHORT_BYTES) return { status, headers, body };
        headers.Vary = "Origin, Accept-Encoding";
        if (!takesGzip(req)) return { status, headers, body };
        list.compressed ??= compress(body);
        headers["Content-Encoding"] = "gzip";
        return { status, headers, body: await list.compressed };
      }

      function openStream(req: Request, res: ServerResponse, { types, since }: EventsQuery) {
        const address = admission.addressOf(req);
        if (streams.isFull(address)) return admission.refusalAnswers.too_many_connections;
        // Pipelined requests after it are not handled.
        admission.beginStream(req);
        keepWhenBlocked(req.socket);
        req.socket.setTimeout(0);
        // A request body would stay in memory as long as the stream.
        req.resume();
        beginAnswer(res, STREAM);
        streams.open(res, { address, types, since });
        return undefined;
      }

      return ({ req, res }) => {
        const read = readQuery(req, servers);
        if ("fault" in read) return errorWith("invalid_query", read.fault);
        const query = read.value;
        if (query.form === "json") return listAnswer(req, query);
        return req.method === "HEAD" ? STREAM : openStream(req, res, query);
      };
    },
  ),
});

import type { OutgoingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Request, Response } from "express";
import { type Answer, beginAnswer, sendAnswer } from "../../kernel/http/answer.ts";
import type { ListenerDeps } from "../../kernel/http/deps.ts";
import { sendError } from "../../kernel/http/errors.ts";
import { retryAfter } from "../../kernel/http/headers.ts";
import { SHORT_BYTES, takesGzip } from "../../kernel/http/prepared.ts";
import { BEGINNING } from "./rules.ts";
import { listBody } from "./stream/frames.ts";
import { type EventsQuery, gets, readQuery } from "./stream/query.ts";
import type { Streams } from "./stream/streams.ts";

const STREAM: Answer = {
  status: 200,
  headers: {
    "Content-Type": "text/event-stream",
    // Proxies pass it on as it comes: nginx by the second, others since it may not be changed.
    "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no",
    Connection: "close",
  },
};

/** Lists that are kept: what pages ask for is the same for all of their visitors. */
const MOST_KEPT = 8;

const compress = promisify<Buffer, Buffer>(gzip);

interface List {
  body: Buffer;
  /** made when somebody first takes it */
  compressed?: Promise<Buffer>;
}

export type Events = ReturnType<typeof createEvents>;

/** `GET /events`: what happens and what has happened, as a stream of server-sent events or as JSON. */
export function createEvents(deps: ListenerDeps, streams: Streams) {
  const { admission, feed, lasts, webChat, worlds } = deps;
  const servers = worlds.all.map(({ name }) => name);
  /** for as long as nothing happens */
  const lists = new Map<string, List>();
  let listsOf = "";

  function made({ types, since, limit }: EventsQuery): Buffer {
    const { gap, entries } = feed.after(since ?? BEGINNING);
    const told = { servers, hasChat: webChat.mode() !== "off" };
    const wanted = entries.filter(entry => gets(types, entry, told));
    const shown = since === undefined ? wanted.slice(-limit) : wanted.slice(0, limit);
    return listBody(gap, shown);
  }

  function listFor(query: EventsQuery): List {
    const now = `${feed.state()} ${webChat.mode() !== "off"}`;
    if (now !== listsOf) lists.clear();
    listsOf = now;
    const name = `${query.types} ${query.limit} ${query.since}`;
    const list = lists.get(name) ?? { body: made(query) };
    lists.set(name, list);
    const [oldest = ""] = lists.size > MOST_KEPT ? lists.keys() : [];
    lists.delete(oldest);
    return list;
  }

  async function sendList(req: Request, res: Response, query: EventsQuery): Promise<void> {
    await feed.sync();
    const list = listFor(query);
    const { body } = list;
    const waitSeconds = await admission.pay(admission.addressOf(req), body.length);
    if (waitSeconds > 0) return sendError(res, "rate_limited", retryAfter(waitSeconds));
    const headers: OutgoingHttpHeaders = { "Content-Type": "application/json; charset=utf-8" };
    if (body.length <= SHORT_BYTES) return sendAnswer(res, { status: 200, headers, body });
    headers.Vary = "Origin, Accept-Encoding";
    if (!takesGzip(req)) return sendAnswer(res, { status: 200, headers, body });
    list.compressed ??= compress(body);
    headers["Content-Encoding"] = "gzip";
    sendAnswer(res, { status: 200, headers, body: await list.compressed });
  }

  function route(req: Request, res: Response): Promise<void> | undefined {
    const query = readQuery(req, servers);
    if (query === undefined) sendError(res, "invalid_query");
    else if (query.form === "json") return sendList(req, res, query);
    else if (req.method === "HEAD") sendAnswer(res, STREAM);
    else openStream(req, res, query);
    return undefined;
  }

  function openStream(req: Request, res: Response, { types, since }: EventsQuery): void {
    const address = admission.addressOf(req);
    if (streams.isFull(address)) {
      sendAnswer(res, admission.answers.too_many_connections);
      return;
    }
    // What comes behind it on its connection is not dealt with.
    admission.lasts(req);
    lasts(req.socket);
    req.socket.setTimeout(0);
    // A body of it would be held for as long as the stream.
    req.resume();
    beginAnswer(res, STREAM);
    streams.open(res, { address, types, since });
  }

  return { route };
}

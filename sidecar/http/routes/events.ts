import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Request, Response } from "express";
import { BEGINNING } from "../../domain/feed.ts";
import type { Counted, Refusal } from "../admission.ts";
import { type Answer, openAnswer, sendAnswer } from "../answer.ts";
import { sendError } from "../errors.ts";
import { createAnswers } from "../events/answers.ts";
import { listBody } from "../events/frames.ts";
import { type EventsQuery, gets, readQuery } from "../events/query.ts";
import type { Streams } from "../events/streams.ts";
import { createTakeOver } from "../events/take-over.ts";
import type { ListenerDeps } from "./deps.ts";

const STREAM: Answer = {
  status: 200,
  headers: {
    "Content-Type": "text/event-stream",
    // Proxies pass it on as it comes: nginx by the second, others since it may not be changed.
    "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no",
    // It ends with its connection, so that what is written for one reader fits all of them.
    Connection: "close",
  },
};

/** Whether a request is `GET /events`, whose address may be written out with the name of the service. */
const asksForEvents = ({ method, url = "" }: IncomingMessage): boolean =>
  method === "GET" && /^([^/?#]+:\/\/[^/?#]*)?\/events([?#]|$)/.test(url);

export type Events = ReturnType<typeof createEvents>;

/** `GET /events`: what happens and what has happened, as a stream of server-sent events or as JSON. `report` is told of faults. */
export function createEvents(deps: ListenerDeps, streams: Streams, report: (error: unknown) => void) {
  const { admission, clock, feed, metrics, rates, webChat, worlds } = deps;
  const servers = worlds.all.map(({ name }) => name);
  const takeOver = createTakeOver(clock, report);

  /**
   * Counts a request for a stream, and begins that; false where something else is asked for, there are too many, or an answer
   * comes before. Only while the listener of the request runs, which does not wait for the count.
   */
  function stream(req: IncomingMessage, res: ServerResponse, counted: Counted): boolean {
    const query = asksForEvents(req) ? readQuery(req, servers) : undefined;
    if (query?.form !== "stream") return false;
    const address = admission.addressOf(req);
    if (streams.isFull(address)) return false;
    const { cors } = counted;
    const refuse = (raw: Duplex, path: string, refusal: Refusal): void => {
      const answer = admission.answers[refusal];
      metrics.request(path, answer.status);
      sendAnswer(raw, answer, cors);
    };
    return takeOver.begin(req, res, raw =>
      admission.count(req, raw, counted, refusal => {
        if (refusal) refuse(raw, "none", refusal);
        else if (streams.isFull(address)) refuse(raw, "/events", "too_many_connections");
        else {
          metrics.request("/events", 200);
          const { types, since } = query;
          streams.open(raw, openAnswer(STREAM, cors), { address, types, since });
        }
      }),
    );
  }

  function kept({ types, since, limit }: EventsQuery): Buffer {
    const { gap, entries } = feed.after(since ?? BEGINNING);
    const told = { servers, hasChat: webChat.mode() !== "off" };
    const wanted = entries.filter(entry => gets(types, entry, told));
    const shown = since === undefined ? wanted.slice(-limit) : wanted.slice(0, limit);
    return listBody(gap, shown);
  }

  /** Of the window of events, and of whether there is chat in it. */
  const state = (): string => `${feed.state()} ${webChat.mode() !== "off"}`;
  const answer = createAnswers({ clock, rates, state, list: kept, pay: admission.pay });

  const route = (req: Request, res: Response): Promise<void> | undefined => {
    const query = readQuery(req, servers);
    if (query === undefined) sendError(res, "invalid_query");
    else if (query.form === "json")
      return feed.sync().then(() => answer(req, res, query, admission.addressOf(req)));
    else if (req.method === "HEAD") sendAnswer(res, STREAM);
    else sendAnswer(res, admission.answers.too_many_connections);
    return undefined;
  };
  return { stream, route, take: takeOver.take };
}

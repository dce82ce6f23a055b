import { gzipSync } from "node:zlib";
import type { Request, Response } from "express";
import { type Bucket, takeToken } from "../../domain/rate.ts";
import type { Clock } from "../../ports.ts";
import { SHORT_BYTES, takesGzip } from "../prepared.ts";
import type { EventsQuery } from "./query.ts";

/** A list of events as it is sent. */
interface Answer {
  body: Buffer;
  compressed?: Buffer;
}

/** Lists that are held: what pages ask for is the same for all of their visitors. */
const MOST_HELD = 8;
/**
 * How often a list is compressed anew: the longest one takes some 6 ms, and whoever always asks for another one must not
 * keep the process busy with it.
 */
const PACKING = { perSecond: 5, burst: 20 };

/**
 * Sends lists of events as JSON: each is made once for as long as nothing happens, and compressed for whoever takes that.
 * @param state a text that is another one whenever any list may be
 */
export function createAnswers(clock: Clock, state: () => string, list: (query: EventsQuery) => unknown) {
  const held = new Map<string, Answer>();
  let heldAt = "";
  const packed: Bucket = { tokens: PACKING.burst, at: clock.monotonic() };

  function find(query: EventsQuery): Answer {
    const now = state();
    if (now !== heldAt || held.size >= MOST_HELD) held.clear();
    heldAt = now;
    const name = `${query.types} ${query.limit} ${query.since}`;
    const known = held.get(name);
    if (known) return known;
    const made = { body: Buffer.from(JSON.stringify(list(query))) };
    held.set(name, made);
    return made;
  }

  return (req: Request, res: Response, query: EventsQuery): void => {
    const answer = find(query);
    res.set("Content-Type", "application/json; charset=utf-8");
    if (answer.body.length <= SHORT_BYTES) return void res.send(answer.body);
    res.set("Vary", "Origin, Accept-Encoding");
    if (!takesGzip(req) || !(answer.compressed || takeToken(packed, PACKING, clock.monotonic())))
      return void res.send(answer.body);
    answer.compressed ??= gzipSync(answer.body);
    res.set("Content-Encoding", "gzip").send(answer.compressed);
  };
}

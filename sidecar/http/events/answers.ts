import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Request, Response } from "express";
import { type Bucket, takeToken } from "../../domain/rate.ts";
import type { Clock } from "../../ports.ts";
import { sendError } from "../errors.ts";
import { retryAfter } from "../headers.ts";
import { SHORT_BYTES, takesGzip } from "../prepared.ts";
import type { EventsQuery } from "./query.ts";

/** A list of events as it is sent. */
interface Answer {
  body: Buffer;
  /** undefined where it could not be compressed */
  compressed?: Promise<Buffer | undefined>;
}

/** Lists that are held: what pages ask for is the same for all of their visitors. */
const MOST_HELD = 8;
/**
 * Bytes that are compressed: the longest list takes some 40 ms of a processor, beside the event loop. Whoever always asks for
 * another one must not keep a processor busy with it.
 */
const PACKING = { perSecond: 512 * 1024, burst: 2 * 1024 * 1024 };

const pack = promisify<Buffer, Buffer>(gzip);

/**
 * Sends lists of events as JSON: each is made once for as long as nothing happens, and compressed for whoever takes that.
 * @param deps.state a text that is another one whenever any list may be
 * @param deps.pay takes so many bytes from what the address of a request may have; seconds to wait where it may not, or 0
 */
export function createAnswers(deps: {
  clock: Clock;
  state(): string;
  list(query: EventsQuery): Buffer;
  pay(req: Request, bytes: number): number | Promise<number>;
}) {
  const { clock, state, list, pay } = deps;
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
    const made = { body: list(query) };
    held.set(name, made);
    return made;
  }

  function compress(answer: Answer): Promise<Buffer | undefined> | undefined {
    if (!answer.compressed && takeToken(packed, PACKING, clock.monotonic(), answer.body.length))
      answer.compressed = pack(answer.body).catch(() => undefined);
    return answer.compressed;
  }

  return async (req: Request, res: Response, query: EventsQuery): Promise<void> => {
    const answer = find(query);
    const { body } = answer;
    const isShort = body.length <= SHORT_BYTES;
    const compressed = isShort || !takesGzip(req) ? undefined : await compress(answer);
    const sent = compressed ?? body;
    const waitSeconds = await pay(req, sent.length);
    if (waitSeconds > 0) return sendError(res, "rate_limited", retryAfter(waitSeconds));
    res.set("Content-Type", "application/json; charset=utf-8");
    if (!isShort) res.set("Vary", "Origin, Accept-Encoding");
    if (compressed) res.set("Content-Encoding", "gzip");
    res.send(sent);
  };
}

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Request, Response } from "express";
import { type Bucket, takeToken } from "../../domain/rate.ts";
import type { Clock, Rates } from "../../ports.ts";
import { sendAnswer } from "../answer.ts";
import { sendError } from "../errors.ts";
import { retryAfter } from "../headers.ts";
import { SHORT_BYTES, takesGzip } from "../prepared.ts";
import type { EventsQuery } from "./query.ts";

/** A list of events as it is sent. */
interface Answer {
  body: Buffer;
  /** the address that asked for it first */
  address: string;
  /** undefined where it could not be compressed */
  compressed?: Promise<Buffer | undefined>;
}

/** Lists that are held: what pages ask for is the same for all of their visitors. Of them, those of one address. */
const MOST_HELD = 8;
const MOST_HELD_OF_ONE = 2;

/**
 * KiB that are compressed: the longest list takes some 40 ms of a processor, beside the event loop. Whoever always asks for
 * another one must not keep a processor busy with it, nor have nothing compressed for anybody else.
 */
const PACKING = { perSecond: 512, burst: 2_048 };
const SHARE = { name: "packing", perSecond: 128, burst: 1_024 };

const pack = promisify<Buffer, Buffer>(gzip);

/**
 * Sends lists of events as JSON: each is made once for as long as nothing happens, and compressed for whoever takes that.
 * @param deps.state a text that is another one whenever any list may be
 * @param deps.pay takes so many bytes from what an address may have; seconds to wait where it may not, or 0
 */
export function createAnswers(deps: {
  clock: Clock;
  rates: Pick<Rates, "take">;
  state(): string;
  list(query: EventsQuery): Buffer;
  pay(address: string, bytes: number): number | Promise<number>;
}) {
  const { clock, rates, state, list, pay } = deps;
  const held = new Map<string, Answer>();
  let heldAt = "";
  const packed: Bucket = { tokens: PACKING.burst, at: clock.monotonic() };

  /** Makes room for a list of an address: whoever asks for always another one takes it from nobody else. */
  function letGo(address: string): void {
    const names = [...held.keys()];
    const own = names.filter(name => held.get(name)?.address === address);
    const [first = ""] = own.length < MOST_HELD_OF_ONE ? names : own;
    if (own.length >= MOST_HELD_OF_ONE || names.length >= MOST_HELD) held.delete(first);
  }

  function find(query: EventsQuery, address: string): Answer {
    const now = state();
    if (now !== heldAt) held.clear();
    heldAt = now;
    const name = `${query.types} ${query.limit} ${query.since}`;
    const known = held.get(name);
    if (known) return known;
    letGo(address);
    const made = { body: list(query), address };
    held.set(name, made);
    return made;
  }

  /** Compresses an answer if there is budget for that, of an address and of all of them. */
  async function compress(answer: Answer, address: string): Promise<Buffer | undefined> {
    const cost = Math.ceil(answer.body.length / 1_024);
    const over = answer.compressed ? -1 : await rates.take({ key: address, rate: SHARE, cost });
    // Somebody else may have come meanwhile.
    if (!answer.compressed && over < 0 && takeToken(packed, PACKING, clock.monotonic(), cost))
      answer.compressed = pack(answer.body).catch(() => undefined);
    return answer.compressed;
  }

  return async (req: Request, res: Response, query: EventsQuery, address: string): Promise<void> => {
    const answer = find(query, address);
    const { body } = answer;
    const isShort = body.length <= SHORT_BYTES;
    const isPacked = !isShort && takesGzip(req);
    const known = isPacked ? await answer.compressed : undefined;
    // Before it is compressed: whoever is refused has no part of what others may have.
    const waitSeconds = await pay(address, (known ?? body).length);
    if (waitSeconds > 0) return sendError(res, "rate_limited", retryAfter(waitSeconds));
    const compressed = known ?? (isPacked ? await compress(answer, address) : undefined);
    const headers = {
      "Content-Type": "application/json; charset=utf-8",
      ...(!isShort && { Vary: "Origin, Accept-Encoding" }),
      ...(compressed && { "Content-Encoding": "gzip" }),
    };
    sendAnswer(res, { status: 200, headers, body: compressed ?? body });
  };
}

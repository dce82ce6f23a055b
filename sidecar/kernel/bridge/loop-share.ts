import type { RequestHandler } from "express";
import type { Clock } from "../../platform/clock.ts";
import { type Bucket, type Rate, takeToken } from "../../platform/rate.ts";

/** Milliseconds of work for one game server: each second, and at once. */
const SHARE: Rate = { perSecond: 250, burst: 500 };
/** What a request counts at most, by its bytes: what waits for the storage does no work. */
const MOST_MS = { each: 2, perByte: 100 / 65_536 };
const POLL_MS = 0.25;

/**
 * Has the requests of one game server wait for each other, and for its share of the time, before their bodies are read: one that
 * reports all the time slows down nobody else. The handler `begin` comes before what reads the body, `read` behind it; one that
 * `isPoll` says is a poll lets the next one begin while it is held open.
 */
export function createLoopShare(clock: Pick<Clock, "monotonic" | "after">) {
  const bucket: Bucket = { tokens: SHARE.burst, at: clock.monotonic() };
  const waiting: (() => void)[] = [];
  let isBusy = false;
  /** of the request that has begun: since when its body is there */
  let since: number | undefined;
  let endOne = (_ms?: number): void => undefined;

  function next(): void {
    const begin = waiting.shift();
    isBusy = begin !== undefined;
    if (begin === undefined) return;
    // Lets time pay what is owed.
    takeToken(bucket, SHARE, clock.monotonic(), 0);
    if (bucket.tokens >= 0) begin();
    else clock.after((-bucket.tokens / SHARE.perSecond) * 1_000, begin);
  }

  const begin: RequestHandler = (req, res, go) => {
    waiting.push(() => {
      let isOver = false;
      const most = MOST_MS.each + Number(req.headers["content-length"] ?? 65_536) * MOST_MS.perByte;
      since = undefined;
      endOne = ms => {
        if (isOver) return;
        isOver = true;
        if (since !== undefined) bucket.tokens -= ms ?? Math.min(clock.monotonic() - since, most);
        next();
      };
      const end = endOne;
      if (res.destroyed || res.closed) return end();
      res.once("close", () => end());
      go();
    });
    if (!isBusy) next();
  };

  return {
    begin,
    read: (isPoll: boolean): void => {
      since = clock.monotonic();
      if (isPoll) endOne(POLL_MS);
    },
  };
}

import type { RequestHandler } from "express";
import type { Clock } from "../../platform/clock.ts";
import { type Bucket, type Rate, takeToken } from "../../platform/rate.ts";

/** Milliseconds of work for one game server. */
const SHARE: Rate = { perSecond: 250, burst: 500 };
/** Most milliseconds that a request counts, by its bytes: waiting for the storage is no work. */
const MOST_MS = { each: 2, perByte: 100 / 65_536 };
const POLL_MS = 0.25;

/**
 * A queue for the requests of one game server, which has a share of the event loop: one that reports all the time slows down no
 * other. `enqueue` is the handler before the body is read; `bodyRead` is to be called once it was. A poll lets the next request begin.
 */
export function createFairQueue(clock: Pick<Clock, "monotonic" | "after">) {
  const bucket: Bucket = { tokens: SHARE.burst, at: clock.monotonic() };
  const waiting: (() => void)[] = [];
  let isBusy = false;
  /** when the body of the current request was read */
  let since: number | undefined;
  let endOne = (_ms?: number): void => undefined;

  function next(): void {
    const begin = waiting.shift();
    isBusy = begin !== undefined;
    if (begin === undefined) return;
    // Refills the bucket.
    takeToken(bucket, SHARE, clock.monotonic(), 0);
    if (bucket.tokens >= 0) begin();
    else clock.after((-bucket.tokens / SHARE.perSecond) * 1_000, begin);
  }

  const enqueue: RequestHandler = (req, res, proceed) => {
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
      proceed();
    });
    if (!isBusy) next();
  };

  return {
    enqueue,
    bodyRead: (isPoll: boolean): void => {
      since = clock.monotonic();
      if (isPoll) endOne(POLL_MS);
    },
  };
}

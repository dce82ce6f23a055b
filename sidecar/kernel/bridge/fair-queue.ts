import type { RequestHandler } from "express";
import type { Clock } from "../../platform/clock.ts";
import { type Bucket, type Rate, takeToken } from "../../platform/rate.ts";

/** Milliseconds of event-loop time for one game server. */
const SHARE: Rate = { perSecond: 250, burst: 500 };
/** Most milliseconds that a request costs, by its size: waiting for the storage is free. */
const MAX_COST_MS = { each: 2, perByte: 100 / 65_536 };
const POLL_MS = 0.25;

/**
 * A queue for the requests of one game server, which limits its share of the event loop: a busy one does not slow down the others.
 * `enqueue` is the handler before the body is read; call `bodyRead` afterwards. A waiting poll does not block the queue.
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
      const maxCost =
        MAX_COST_MS.each + Number(req.headers["content-length"] ?? 65_536) * MAX_COST_MS.perByte;
      since = undefined;
      endOne = ms => {
        if (isOver) return;
        isOver = true;
        if (since !== undefined) bucket.tokens -= ms ?? Math.min(clock.monotonic() - since, maxCost);
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

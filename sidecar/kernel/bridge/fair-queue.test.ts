import { expect, it } from "@jest/globals";
import type { Request, Response } from "express";
import { ManualClock } from "../../../test/helpers/clock.ts";
import { createFairQueue } from "./fair-queue.ts";

/** A request of a game server to the listener, which reports when it begins. */
function startPoll(share: ReturnType<typeof createFairQueue>, bytes = 65_536) {
  let close = (): void => undefined;
  const state = { begun: false, end: () => close() };
  const req = { headers: { "content-length": `${bytes}` } } as Request;
  const res = {
    once: (_event: string, listener: () => void) => {
      close = listener;
    },
  } as Response;
  share.enqueue(req, res, () => {
    state.begun = true;
    share.bodyRead(false);
  });
  return state;
}

it("queues the requests of a game server, and limits them to a quarter of the time", () => {
  const clock = new ManualClock();
  const share = createFairQueue(clock);
  const all = Array.from({ length: 9 }, () => startPoll(share));
  for (const [i, { begun, end }] of all.slice(0, 6).entries()) {
    expect([begun, all[i + 1]?.begun]).toEqual([true, false]);
    clock.advance(100);
    end();
  }
  // 600 ms of work: 500 are free, and 150 were refilled during it.
  const [seventh, eighth] = all.slice(6);
  expect(seventh?.begun).toBe(true);
  clock.advance(100);
  seventh?.end();
  expect(eighth?.begun).toBe(false);
  clock.advance(99);
  expect(eighth?.begun).toBe(false);
  clock.advance(1);
  expect(eighth?.begun).toBe(true);
});

it("charges little for a small request, however long the storage takes", () => {
  const clock = new ManualClock();
  const share = createFairQueue(clock);
  for (let i = 0; i < 100; i++) {
    const small = startPoll(share, 100);
    expect(small.begun).toBe(true);
    clock.advance(1_000);
    small.end();
  }
});

it("starts the next request while a poll is held open", () => {
  const share = createFairQueue(new ManualClock());
  const poll = startPoll(share);
  const next = startPoll(share);
  share.bodyRead(true);
  expect([poll.begun, next.begun]).toEqual([true, true]);
  poll.end();
});

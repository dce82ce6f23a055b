import { setImmediate as turn } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { ManualClock } from "../../test/helpers/clock.ts";
import { createSharedReads } from "./shared-reads.ts";

/** How often a value was written; a read returns that of a moment during it. */
let writes: number;
let clock: ManualClock;
let reads: { seen: number; end(how?: Error): void }[];
let ask: () => Promise<{ read: number; seen: number }>;

beforeEach(() => {
  writes = 0;
  clock = new ManualClock();
  reads = [];
  ask = createSharedReads(clock, () => {
    const read = reads.length;
    return new Promise((resolve, reject) => {
      const seen = writes;
      reads.push({ seen, end: how => (how ? reject(how) : resolve({ read, seen })) });
    });
  });
});

describe("a read", () => {
  it("sees everything that was written before the call, in any order of events", async () => {
    const step = fc.constantFrom("ask", "ask", "write", "end", "fail", "wait");
    await fc.assert(
      fc
        .asyncProperty(fc.array(step, { maxLength: 40 }), async steps => {
          const pending: Promise<unknown>[] = [];
          let ended = 0;
          for (const each of steps) {
            if (each === "ask") {
              const before = writes;
              const check = ({ seen }: { seen: number }): void => expect(seen).toBeGreaterThanOrEqual(before);
              pending.push(ask().then(check, (error: Error) => expect(error.message).toBe("failed")));
            } else if (each === "write") writes++;
            else if (each === "wait") clock.advance(1_000);
            else if (ended < reads.length)
              reads[ended++]?.end(each === "fail" ? new Error("failed") : undefined);
            await turn();
            if (!steps.includes("wait")) expect(reads.length - ended).toBeLessThanOrEqual(1);
          }
          while (ended < reads.length) {
            reads[ended++]?.end();
            await turn();
          }
          await Promise.all(pending);
          expect(reads.length).toBeLessThanOrEqual(pending.length);
        })
        .beforeEach(() => {
          [writes, reads] = [0, []];
        }),
    );
  });
});

import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { ManualClock } from "../../../test/helpers/clock.ts";
import { type NamedRate, perMinute } from "../../platform/rate.ts";
import type { Rates, SharedBucket } from "./ports.ts";

/** Rates with their clock. */
export interface TestRates {
  rates: Rates;
  clock: ManualClock;
}

export const rate = (perSecond: number, burst: number, name = "test"): NamedRate => ({
  name,
  perSecond,
  burst,
});
export const bucket = (key: string, of: NamedRate): SharedBucket => ({ key, rate: of });

/** How many of the wanted tokens a bucket gives. */
export async function given(rates: Rates, of: SharedBucket, wanted: number): Promise<number> {
  let count = 0;
  for (let i = 0; i < wanted; i++) if ((await rates.take(of)) < 0) count++;
  return count;
}

/** Contract of all rates. */
export function describeRates(
  name: string,
  make: () => Promise<TestRates>,
  end: () => unknown = () => undefined,
): void {
  describe(name, () => {
    let rates: Rates;
    let clock: ManualClock;
    beforeEach(async () => {
      ({ rates, clock } = await make());
    });
    afterEach(async () => {
      await end();
    });

    it("allow emptying a full bucket in one burst, and refill it steadily", async () => {
      const steve = bucket("Steve", rate(2, 20));
      expect(await given(rates, steve, 25)).toBe(20);
      clock.advance(499);
      expect(await given(rates, steve, 2)).toBe(0);
      clock.advance(1);
      expect(await given(rates, steve, 2)).toBe(1);
      clock.advance(3_000);
      expect(await given(rates, steve, 10)).toBe(6);
    });

    it("take as many tokens as the cost says, or none", async () => {
      const steve = bucket("Steve", rate(2, 20));
      const five = { ...steve, cost: 5 };
      expect(await given(rates, five, 5)).toBe(4);
      clock.advance(2_000);
      expect(await given(rates, five, 1)).toBe(0);
      expect(await given(rates, steve, 5)).toBe(4);
      clock.advance(2_500);
      expect(await given(rates, five, 2)).toBe(1);
    });

    it.each([1, 3, 7, 20, 59, 120, 1_000])("refill %i tokens a minute", async count => {
      const steve = bucket("Steve", { name: "test", ...perMinute(count) });
      expect(await given(rates, steve, count + 5)).toBe(count);
      clock.advance(60_000);
      expect(await given(rates, steve, count + 5)).toBe(count);
    });

    it("count each key and each name separately", async () => {
      const [one, other] = [rate(1, 2, "one"), rate(1, 3, "other")];
      expect(await given(rates, bucket("Steve", one), 5)).toBe(2);
      expect(await given(rates, bucket("Alex", one), 5)).toBe(2);
      expect(await given(rates, bucket("Steve", other), 5)).toBe(3);
      expect(await given(rates, bucket("", other), 5)).toBe(3);
    });

    it("accept any text as a key", async () => {
      for (const key of ["one:other", " ", "{x}", "\n", "\0", "ü\u{1f600}", "x".repeat(10_000)]) {
        expect(await given(rates, bucket(key, rate(1, 2)), 5)).toBe(2);
        expect(await given(rates, bucket(`${key}.`, rate(1, 2)), 5)).toBe(2);
      }
    });

    it("return the first empty one of several buckets, and take nothing from those after it", async () => {
      const [a, b, c] = [
        bucket("", rate(1, 3, "a")),
        bucket("", rate(1, 2, "b")),
        bucket("", rate(1, 9, "c")),
      ];
      expect([await rates.take(a, b, c), await rates.take(a, b, c)]).toEqual([-1, -1]);
      expect(await rates.take(a, b, c)).toBe(1);
      // The third token of the first one stays taken.
      expect(await rates.take(a, b, c)).toBe(0);
      expect(await given(rates, c, 9)).toBe(7);
    });

    it("know how many tokens a bucket has left, which come back", async () => {
      const steve = bucket("Steve", rate(2, 20));
      expect(rates.left(steve)).toBe(20);
      await rates.take({ ...steve, cost: 5 });
      expect(rates.left(steve)).toBeCloseTo(15, 1);
      clock.advance(2_000);
      expect(rates.left(steve)).toBeCloseTo(19, 1);
      await given(rates, steve, 25);
      expect(Math.floor(rates.left(steve))).toBe(0);
    });

    it("make returned tokens available again", async () => {
      const steve = bucket("Steve", rate(1, 3));
      await given(rates, steve, 3);
      rates.giveBack(steve);
      rates.giveBack(steve);
      expect(await given(rates, steve, 5)).toBe(2);
    });

    it("never hold more than a full bucket, however many tokens are returned", async () => {
      const steve = bucket("Steve", rate(1, 3));
      for (let i = 0; i < 9; i++) rates.giveBack(steve);
      expect(await given(rates, steve, 9)).toBe(3);
      rates.giveBack(steve);
      clock.advance(2_000);
      rates.giveBack(steve);
      expect(await given(rates, steve, 9)).toBe(3);
    });

    it("remember a key for the time set last", async () => {
      expect(await rates.remembers("Steve")).toBe(false);
      rates.remember("Steve", 10_000);
      expect([await rates.remembers("Steve"), await rates.remembers("Alex")]).toEqual([true, false]);
      clock.advance(9_999);
      expect(await rates.remembers("Steve")).toBe(true);
      rates.remember("Steve", 10_000);
      clock.advance(9_999);
      expect(await rates.remembers("Steve")).toBe(true);
      clock.advance(1);
      expect(await rates.remembers("Steve")).toBe(false);
    });

    it("let through neither more nor less than the rate allows, in any time span", async () => {
      let keys = 0;
      const steps = fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 60 });
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 20 }),
          fc.integer({ min: 1, max: 9 }),
          steps,
          async (...drawn) => {
            const [perSecond, burst, waits] = drawn;
            const one = bucket(`${keys++}`, rate(perSecond, burst));
            /** times of accepted takes, in milliseconds */
            const times: number[] = [];
            for (const wait of waits) {
              clock.advance(wait);
              const now = clock.monotonic();
              const isThrough = (await rates.take(one)) < 0;
              if (isThrough) times.push(now);
              const full = times.findIndex(
                (time, at) => times.length - at > burst + ((now - time) / 1000) * perSecond + 1e-6,
              );
              expect(full).toBe(-1);
              const latest = times.at(isThrough ? -2 : -1) ?? now - 3_600_000;
              if (now - latest >= 1000 / perSecond + 1e-6) expect(isThrough).toBe(true);
            }
          },
        ),
        { numRuns: 30 },
      );
    });
  });
}

import { describe, expect, it } from "@jest/globals";
import { ManualClock } from "../../../test/helpers/clock.ts";
import { createMemoryRates } from "./memory-rates.ts";
import { bucket, describeRates, rate } from "./rates.contract.ts";

describeRates("rates of one process", async () => {
  const clock = new ManualClock();
  return { clock, rates: createMemoryRates(clock) };
});

describe("rates of one process, with many keys", () => {
  const once = rate(1, 1);

  it("answer within the call", () => {
    const rates = createMemoryRates(new ManualClock());
    expect([rates.take(bucket("a", once)), rates.take(bucket("a", once))]).toEqual([-1, 0]);
    expect(rates.remembers("a")).toBe(false);
  });

  it("keep 20,000 keys of one limit, and forget the oldest", () => {
    const rates = createMemoryRates(new ManualClock());
    for (let i = 0; i < 20_000; i++) rates.take(bucket(`${i}`, once));
    expect(rates.take(bucket("0", once))).toBe(0);
    rates.take(bucket("one more", once));
    expect(rates.take(bucket("1", once))).toBe(0);
    expect(rates.take(bucket("0", once))).toBe(-1);
  });

  it("remember the last 20,000 keys", () => {
    const rates = createMemoryRates(new ManualClock());
    for (let i = 0; i <= 20_000; i++) rates.remember(`${i}`, 1_000);
    expect([rates.remembers("0"), rates.remembers("1"), rates.remembers("20000")]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it("forget no key because of another limit's keys", () => {
    const rates = createMemoryRates(new ManualClock());
    const everybody = bucket("", rate(1, 1, "everybody"));
    rates.take(everybody);
    for (let i = 0; i < 40_001; i++) rates.take(bucket(`${i}`, once));
    expect(rates.take(everybody)).toBe(0);
  });
});

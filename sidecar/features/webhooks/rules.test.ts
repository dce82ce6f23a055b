import { describe, expect, it } from "@jest/globals";
import { type Failing, failedAgain, leftUntilDisabled, waitBefore } from "./rules.ts";

const DAY = 86_400_000;
const tried = (tries: number): Failing => ({ since: 0, tries });

describe("a failed delivery", () => {
  it("is retried after a second, then after twice as long each time, up to five minutes", () => {
    const least = Array.from({ length: 11 }, (_, i) => waitBefore(tried(i + 1), undefined, 0) / 1000);
    expect(least).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 240, 240, 240]);
    const most = Array.from({ length: 11 }, (_, i) => waitBefore(tried(i + 1), undefined, 1) / 1000);
    expect(most).toEqual([1.25, 2.5, 5, 10, 20, 40, 80, 160, 300, 300, 300]);
    expect(waitBefore(tried(5000), undefined, 1)).toBe(300_000);
  });

  it("is retried when Retry-After says so, within bounds", () => {
    expect([0, 2_500, 10 ** 12].map(wanted => waitBefore(tried(9), wanted, 1))).toEqual([
      250, 2_500, 300_000,
    ]);
  });

  it("counts from the first failure, and backs off only without Retry-After", () => {
    const first = failedAgain(undefined, 1000, true);
    expect(first).toEqual({ since: 1000, tries: 0 });
    expect(failedAgain(first, 2000, false)).toEqual({ since: 1000, tries: 1 });
  });

  it("is given up after a day", () => {
    expect(leftUntilDisabled({ since: 5, tries: 9 }, DAY + 4)).toBe(1);
    expect(leftUntilDisabled({ since: 5, tries: 9 }, DAY + 5)).toBe(0);
  });
});

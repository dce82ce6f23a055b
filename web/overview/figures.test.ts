import { describe, expect, it } from "@jest/globals";
import { levelOfShare, levelOfTps } from "./levels.ts";

describe("the limits of the figures", () => {
  it("are amber below 18 ticks and red below 12, and amber from 80 % on", () => {
    expect([20, 18, 17.9, 12, 11.9, 0].map(levelOfTps)).toEqual(["", "", "warn", "warn", "bad", "bad"]);
    expect([0, 0.79, 0.8, 1].map(levelOfShare)).toEqual(["", "", "warn", "warn"]);
  });
});

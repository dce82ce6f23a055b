import { describe, expect, it } from "@jest/globals";
import { NAMES_PER_FACT } from "../../../shared/limits.ts";
import { ManualClock } from "../../../test/helpers/clock.ts";
import { createMemoryRecords } from "../storage/memory-records.ts";
import { createParts, MAX_NAMES } from "./parts.ts";

describe("names that a game server reports in parts", () => {
  const open = () => {
    const clock = new ManualClock();
    return { clock, parts: createParts(createMemoryRecords(clock.monotonic), "") };
  };

  it("are stored in the order of the facts, until they are removed", async () => {
    const { parts } = open();
    await parts.addNames("list", 2, ["Brian"]);
    await parts.addNames("list", 1, ["Alex"]);
    await parts.addNames("other", 3, ["Chris"]);
    expect(await parts.names("list")).toEqual(["Alex", "Brian"]);
    await parts.forgetNames("list");
    expect([await parts.names("list"), await parts.names("other")]).toEqual([undefined, ["Chris"]]);
  });

  it("are too many if they exceed the limit, and are then not stored", async () => {
    const { parts } = open();
    await parts.addNames("list", 1, ["Brian"]);
    for (let fact = 0; fact <= (5 * MAX_NAMES) / NAMES_PER_FACT; fact++)
      await parts.addNames("long", fact, ["Alex"]);
    expect([await parts.names("long"), await parts.names("list")]).toEqual(["too many", ["Brian"]]);
  });

  it("are too many if some of them have expired, instead of a shorter list", async () => {
    const { parts, clock } = open();
    await parts.addNames("list", 1, ["Alex"]);
    clock.advance(20_000);
    await parts.addNames("list", 2, ["Brian"]);
    clock.advance(20_000);
    expect(await parts.names("list")).toBe("too many");
  });
});

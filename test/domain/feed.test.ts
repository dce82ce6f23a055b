import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createWindow, type FeedEntry, parseId } from "../../sidecar/domain/feed.ts";

const entry = (id: string, at = 0): FeedEntry => ({ id, event: { event: "server", at, state: "away" } });
const ids = (entries: readonly FeedEntry[]): string[] => entries.map(({ id }) => id);
const bounds = { entries: 3, forMs: 1_000 };

describe("the end of the feed", () => {
  it("has everything for whoever knows nothing", () => {
    const window = createWindow(bounds, "5-0", [entry("5-1"), entry("5-2")]);
    expect(window.after(undefined)).toEqual({ gap: false, entries: [entry("5-1"), entry("5-2")] });
  });

  it.each([
    ["the newest", "6-1", []],
    ["one in between", "5-2", ["6-1"]],
    ["the oldest", "5-1", ["5-2", "6-1"]],
    ["the place before the oldest", "5-0", ["5-1", "5-2", "6-1"]],
  ])("goes on from %s", (_which, id, expected) => {
    const window = createWindow(bounds, "5-0", [entry("5-1"), entry("5-2"), entry("6-1")]);
    const { gap, entries } = window.after(id);
    expect({ gap, entries: ids(entries) }).toEqual({ gap: false, entries: expected });
  });

  it.each([
    "4-9",
    "5-3",
    "6-0",
    "6-2",
    "7-1",
    "",
    "x",
    "5",
    "5-",
    "-1",
    "5-1 ",
    "05-01",
    "1e3-1",
    "9".repeat(99),
  ])("tells of a gap for %j, which it does not hold", id => {
    const window = createWindow(bounds, "5-0", [entry("5-1"), entry("5-2"), entry("6-1")]);
    const { gap, entries } = window.after(id);
    expect({ gap, entries: ids(entries) }).toEqual({ gap: true, entries: ["5-1", "5-2", "6-1"] });
  });

  it("lets go of the oldest past its number, and goes on without a gap from the last of them", () => {
    const window = createWindow(bounds, "5-0");
    window.add([entry("5-1"), entry("5-2"), entry("5-3"), entry("5-4"), entry("5-5")], 0);
    expect(ids(window.after(undefined).entries)).toEqual(["5-3", "5-4", "5-5"]);
    expect(window.after("5-2").gap).toBe(false);
    expect(window.after("5-1").gap).toBe(true);
    expect(window.floor()).toBe("5-2");
  });

  it("lets go of what is too old, and knows its newest place still", () => {
    const window = createWindow(bounds, "5-0", [entry("5-1", 0), entry("5-2", 600)]);
    window.trim(1_000);
    expect(ids(window.after(undefined).entries)).toEqual(["5-1", "5-2"]);
    window.trim(1_001);
    expect(ids(window.after(undefined).entries)).toEqual(["5-2"]);
    window.trim(5_000);
    expect(window.after(undefined).entries).toEqual([]);
    expect(window.last()).toBe("5-2");
    expect(window.after("5-2")).toEqual({ gap: false, entries: [] });
  });

  it("holds nothing where nothing is to be held, and misses nothing for whoever was there", () => {
    const window = createWindow({ entries: 0, forMs: 1_000 }, "5-0");
    window.add([entry("5-1"), entry("5-2")], 0);
    expect(window.after("5-2")).toEqual({ gap: false, entries: [] });
    expect(window.after("5-1")).toEqual({ gap: true, entries: [] });
  });

  it("gives each reader everything once and in order, or a gap, however it is read", () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("add" as const), count: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ do: fc.constant("read" as const), count: fc.integer({ min: 0, max: 4 }) }),
      fc.record({ do: fc.constant("pass" as const), count: fc.integer({ min: 1, max: 900 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        const window = createWindow({ entries: 4, forMs: 1_000 }, "1-0");
        let [now, given, read] = [0, 0, 0];
        for (const { do: what, count } of steps) {
          if (what === "pass") now += count;
          if (what === "pass") window.trim(now);
          if (what === "add")
            window.add(
              Array.from({ length: count }, () => entry(`1-${++given}`, now)),
              now,
            );
          if (what !== "read") continue;
          const { gap, entries } = window.after(`1-${read}`);
          const numbers = entries.slice(0, count).map(({ id }) => parseId(id)?.[1] ?? 0);
          const first = gap ? given - window.after(undefined).entries.length + 1 : read + 1;
          expect(numbers).toEqual(numbers.map((_, i) => first + i));
          if (gap) expect(first).toBeGreaterThan(read + 1);
          read = numbers.at(-1) ?? (gap ? given : read);
        }
      }),
    );
  });
});

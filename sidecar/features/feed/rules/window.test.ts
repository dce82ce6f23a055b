import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { parseId } from "../../../kernel/storage/stream-ids.ts";
import { BEGINNING, createWindow, type FeedEntry, isWebLine, serverOf } from "./window.ts";

const entry = (id: string, at = 0): FeedEntry => ({ id, event: { event: "server", at, state: "away" } });
const ofWeb = (id: string, at = 0): FeedEntry => ({
  id,
  event: { event: "chat", at, from: "web", content: "x" },
});
const ids = (entries: readonly FeedEntry[]): string[] => entries.map(({ id }) => id);
const bounds = { entries: 3, forMs: 1_000 };

describe("the game server of an event", () => {
  it.each([
    ["the one that it names", { ...entry("5-1").event, server: "lobby" }, "lobby"],
    ["the one that a message of the website names", { ...ofWeb("5-1").event, server: "lobby" }, "lobby"],
    ["none of a message of the website to all", ofWeb("5-1").event, undefined],
    ["the first one where it was kept while there was one alone", entry("5-1").event, "main"],
  ])("is %s", (_which, event, server) => {
    expect(serverOf(event, "main")).toBe(server);
  });
});

describe("the window of the feed", () => {
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
  ])("reports a gap for %j, which it does not contain", id => {
    const window = createWindow(bounds, "5-0", [entry("5-1"), entry("5-2"), entry("6-1")]);
    const { gap, entries } = window.after(id);
    expect({ gap, entries: ids(entries) }).toEqual({ gap: true, entries: ["5-1", "5-2", "6-1"] });
  });

  it("drops old events, and still knows its newest position", () => {
    const window = createWindow(bounds, "5-0", [entry("5-1", 0), entry("5-2", 600)]);
    window.trim(1_000);
    expect(ids(window.after(BEGINNING).entries)).toEqual(["5-1", "5-2"]);
    window.trim(1_001);
    expect(ids(window.after(BEGINNING).entries)).toEqual(["5-2"]);
    window.trim(5_000);
    expect(window.after(BEGINNING).entries).toEqual([]);
    expect(window.last()).toBe("5-2");
    expect(window.after("5-2")).toEqual({ gap: false, before: "5-2", entries: [] });
  });

  it("holds nothing if its limit is 0, and reports no gap to an up-to-date reader", () => {
    const window = createWindow({ entries: 0, forMs: 1_000 }, "5-0");
    window.add([entry("5-1"), entry("5-2")], 0);
    expect(window.after("5-2")).toEqual({ gap: false, before: "5-2", entries: [] });
    expect(window.after("5-1")).toEqual({ gap: true, before: "5-2", entries: [] });
  });

  describe("with messages of the website", () => {
    const half = { entries: 5, forMs: 1_000 };
    const window = createWindow(half, "5-0");
    window.add([entry("5-1"), ofWeb("5-2"), entry("5-3"), ofWeb("5-4"), ofWeb("5-5"), ofWeb("5-6")], 0);

    it("holds the newest of them up to half of its limit, and all other events", () => {
      expect(ids(window.after(BEGINNING).entries)).toEqual(["5-1", "5-3", "5-5", "5-6"]);
      expect([window.oldest(), window.floor(), window.last()]).toEqual(["5-1", "5-4", "5-6"]);
    });

    it.each([
      ["0", false, "0", ["5-1", "5-3", "5-5", "5-6"]],
      ["5-0", true, "5-0", ["5-1", "5-3", "5-5", "5-6"]],
      ["5-1", true, "5-1", ["5-3", "5-5", "5-6"]],
      ["5-2", true, "5-2", ["5-3", "5-5", "5-6"]],
      ["5-3", true, "5-4", ["5-5", "5-6"]],
      ["5-4", false, "5-4", ["5-5", "5-6"]],
      ["5-5", false, "5-5", ["5-6"]],
      ["5-6", false, "5-6", []],
      ["5-7", true, "0", ["5-1", "5-3", "5-5", "5-6"]],
      ["x", true, "0", ["5-1", "5-3", "5-5", "5-6"]],
    ])("reports a gap after %s if a later entry was dropped: %s", (id, gap, before, expected) => {
      const missed = window.after(id);
      expect({ ...missed, entries: ids(missed.entries) }).toEqual({ gap, before, entries: expected });
      // A reader that was told, and continues from there, gets the same.
      expect(window.after(before).entries).toEqual(missed.entries);
    });

    it("reports each gap once", () => {
      expect(window.after("5-1", "5-4").gap).toBe(false);
      expect(window.after("5-1", "5-2").gap).toBe(true);
    });

    it("holds none of them if its limit is 0 or 1, and continues from its newest position", () => {
      const one = createWindow({ entries: 1, forMs: 1_000 }, "5-0");
      one.add([entry("5-1"), ofWeb("5-2")], 0);
      expect(one.after(BEGINNING)).toEqual({ gap: false, before: BEGINNING, entries: [entry("5-1")] });
      expect(one.last()).toBe("5-2");
      expect(one.after("5-2")).toEqual({ gap: false, before: "5-2", entries: [] });
    });
  });

  it("limits web messages to half, gives each reader all stored events in order, and a gap exactly where one is", () => {
    const event = fc.record({ isOfWeb: fc.boolean(), passMs: fc.integer({ min: 0, max: 400 }) });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), fc.integer({ min: 0, max: 9 }), (events, most) => {
        const window = createWindow({ entries: most, forMs: 1_000 }, "1-0");
        const all: FeedEntry[] = [];
        let now = 0;
        for (const { isOfWeb, passMs } of events) {
          now += passMs;
          const next = (isOfWeb ? ofWeb : entry)(`1-${all.length + 1}`, now);
          all.push(next);
          window.add([next], now);
        }
        const { entries: stored } = window.after(BEGINNING);
        expect(stored.length).toBeLessThanOrEqual(most);
        expect(stored.filter(each => isWebLine(each.event)).length).toBeLessThanOrEqual(most / 2);
        // A restart restores the same from storage.
        const again = createWindow({ entries: most, forMs: 1_000 }, "1-0", all);
        again.trim(now);
        expect([again.floor(), ...ids(again.after(BEGINNING).entries)]).toEqual([
          window.floor(),
          ...ids(stored),
        ]);
        for (let i = 0; i <= events.length; i++) {
          const { gap, entries } = window.after(`1-${i}`);
          const missing = events.slice(i).some((_, j) => !ids(stored).includes(`1-${i + j + 1}`));
          expect([i, gap, ids(entries)]).toEqual([
            i,
            missing,
            ids(stored).filter(id => (parseId(id)?.[1] ?? 0) > i),
          ]);
        }
      }),
    );
  });
});

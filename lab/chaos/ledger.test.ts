import { describe, expect, it } from "@jest/globals";
import {
  type Connection,
  type GameRun,
  judgeConnection,
  judgeFeed,
  judgeGameLines,
  judgeLinks,
  judgeNames,
  judgeOrder,
  judgeWebLines,
  type LinkStory,
  type Violation,
} from "./ledger.ts";

const received = (...texts: string[]) => texts.map((text, i) => ({ text, at: 100 * i }));
const whats = (violations: Violation[]): string[] => violations.map(({ what }) => what);

describe("the order of messages", () => {
  it.each<[string, string[], string[]]>([
    ["all of them", ["a", "b", "c"], []],
    ["one twice", ["a", "b", "b", "c"], ['x: "b" arrived twice']],
    ["two in another order", ["b", "a", "c"], ['x: "a" arrived after "b"']],
    ["one that was never sent", ["a", "d"], ['x: "d" was never sent']],
  ])("is checked: %s", (_what, texts, expected) => {
    expect(whats(judgeOrder("x", ["a", "b", "c"], received(...texts)))).toEqual(expected);
  });
});

describe("the feed", () => {
  const reader = (name: string, ids: string, gaps: number[] = []) => ({
    ...{ name, gaps },
    delivered: [...ids].map((id, at) => ({ id, at, what: `event ${id.toLowerCase()}` })),
  });

  it.each<[string, ReturnType<typeof reader>[], string[]]>([
    ["the same for all, one of them with fewer", [reader("x", "abc"), reader("y", "ab")], []],
    [
      "one event missing",
      [reader("x", "abc"), reader("y", "ac")],
      ['y: c arrived after "a", but b for others'],
    ],
    ["one event twice", [reader("x", "aba")], ["x: a arrived twice"]],
    ["a gap although everything is stored", [reader("x", "ab", [1])], ["x: a stored event is missing"]],
  ])("is checked: %s", (_what, readers, expected) => {
    expect(whats(judgeFeed(readers))).toEqual(expected);
  });

  it("has one event for each id", () => {
    const other = { name: "y", gaps: [], delivered: [{ id: "a", at: 0, what: "something else" }] };
    expect(whats(judgeFeed([reader("x", "a"), other]))).toEqual([
      "y: a is something else, but event a for others",
    ]);
  });
});

describe("messages of the game", () => {
  const lines = ["a", "b", "c"].map((text, i) => ({ text, at: 10_000 + 100 * i, run: 1 }));
  const run = (more: Partial<GameRun> = {}): GameRun => ({
    number: 1,
    endedAt: undefined,
    dropped: 0,
    ...more,
  });
  const missing = (text: string) => `"${text}" is not in the feed and was not reported as dropped`;

  it.each<[string, string[], GameRun, number[], string[]]>([
    ["all in the feed", ["a", "b", "c"], run(), [], []],
    ["one lost", ["a", "c"], run(), [], [missing("b")]],
    ["one doubled", ["a", "b", "b", "c"], run(), [], ['the feed: "b" arrived twice']],
    ["two in another order", ["b", "a", "c"], run(), [], ['the feed: "a" arrived after "b"']],
    ["the last ones before the game ended", ["a"], run({ endedAt: 10_300 }), [], []],
    ["one shortly before the sidecar was killed", ["a", "c"], run(), [10_500], []],
    ["one after the sidecar was killed", ["a", "c"], run(), [10_050], [missing("b")]],
  ])("are checked: %s", (_what, feed, of, kills, expected) => {
    expect(whats(judgeGameLines(lines, [of], feed, kills))).toEqual(expected);
  });

  it.each<[string, string[], string[]]>([
    ["a part of them, one after another", ["b", "c"], []],
    ["one left out", ["a", "c"], ['x: "b" did not arrive']],
    ["one twice", ["a", "a"], ['x: "a" arrived twice']],
  ])("are checked on a connection: %s", (_what, texts, expected) => {
    const all = ["a", "b", "c"];
    expect(whats(judgeConnection({ name: "x", received: received(...texts) }, all, all))).toEqual(expected);
  });
});

describe("messages of the website", () => {
  const ann = (more: Partial<Connection> = {}): Connection => ({
    ...{ name: "ann", until: 99_000, received: [], exceptions: [] },
    said: ["ann 1", "ann 2"].map((text, i) => ({ text, at: 1_000 + i })),
    ...more,
  });

  it.each<[string, Connection, string[], string[]]>([
    ["all shown", ann(), ["ann 1", "ann 2"], []],
    ["one lost", ann(), ["ann 2"], ['ann: "ann 1" did not reach the game, without an EXCEPTION']],
    ["one answered with an EXCEPTION", ann({ exceptions: [5_000] }), ["ann 2"], []],
    ["one doubled", ann(), ["ann 1", "ann 1", "ann 2"], ['the game: "ann 1" arrived twice']],
    ["two in another order", ann(), ["ann 2", "ann 1"], ['the game: "ann 1" arrived after "ann 2"']],
  ])("are checked: %s", (_what, connection, displayed, expected) => {
    expect(whats(judgeWebLines(connection, received(...displayed)))).toEqual(expected);
  });
});

describe("links", () => {
  it.each<[string, Partial<LinkStory>, boolean]>([
    ["accepted", {}, true],
    ["declined", { pressed: "declined", seen: "declined", final: "declined" }, true],
    ["declined and accepted all the same", { pressed: "declined" }, false],
    ["left open", { pressed: undefined, seen: "pending", final: "declined" }, true],
    ["accepted too late", { seen: "declined", final: "declined" }, true],
    ["asked with nothing heard back", { status: undefined, seen: undefined, final: "not_linked" }, true],
    ["answered 202 and forgotten", { seen: undefined, final: "not_linked" }, false],
  ])("are checked: %s", (_what, more, isFine) => {
    const story: LinkStory = {
      ...{ browser: "b", at: 0, status: 202, pressed: "accepted", seen: "accepted", final: "accepted" },
      ...more,
    };
    expect(judgeLinks([story])).toHaveLength(isFine ? 0 : 1);
  });
});

describe("names", () => {
  it.each<[number | undefined, number, number, number]>([
    [202, 1, 1, 0],
    [202, 1, 0, 1],
    [undefined, 1, 1, 0],
    [500, 0, 0, 0],
    [202, 1, 2, 1],
  ])("answered %s, tried %d times and listed %d times, break %d rules", (status, tries, times, expected) => {
    const listed = Array.from({ length: times }, () => "n");
    expect(judgeNames([{ name: "n", at: 0, status }], new Map([["n", tries]]), listed)).toHaveLength(
      expected,
    );
  });
});

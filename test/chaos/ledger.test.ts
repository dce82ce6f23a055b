import { describe, expect, it } from "@jest/globals";
import { judgeAlone } from "../../lab/chaos/ledger/alone.ts";
import { judgeFeed } from "../../lab/chaos/ledger/feed.ts";
import { judgeCounts, judgeFigures } from "../../lab/chaos/ledger/figures.ts";
import { judgeForms, type Showing } from "../../lab/chaos/ledger/forms.ts";
import { type GameRun, judgeGameLines, type SaidLine } from "../../lab/chaos/ledger/game-lines.ts";
import { judgeLinks, type LinkStory } from "../../lab/chaos/ledger/links.ts";
import { judgeMemory } from "../../lab/chaos/ledger/memory.ts";
import { type Ear, judgeOrder, type Violation } from "../../lab/chaos/ledger/order.ts";
import { type Asked, judgeCutOff, judgeNames, judgeWaits } from "../../lab/chaos/ledger/requests.ts";
import { judgeWebLines, type Mouth } from "../../lab/chaos/ledger/web-lines.ts";

const heard = (...texts: string[]) => texts.map((text, i) => ({ text, at: 100 * i }));
const whats = (violations: Violation[]): string[] => violations.map(({ what }) => what);

describe("the order of lines", () => {
  it.each<[string, string[], string[]]>([
    ["all of them", ["a", "b", "c"], []],
    ["with one missing, which others judge", ["a", "c"], []],
    ["one twice", ["a", "b", "b", "c"], ['x: "b" came twice']],
    ["one twice, later", ["a", "b", "c", "a"], ['x: "a" came twice']],
    ["two in another order", ["b", "a", "c"], ['x: "a" came after "b"']],
    ["one that nobody said", ["a", "d"], ['x: "d" was never said']],
  ])("is judged: %s", (_what, texts, expected) => {
    expect(whats(judgeOrder("x", ["a", "b", "c"], heard(...texts)))).toEqual(expected);
  });
});

describe("the feed", () => {
  const reader = (name: string, ids: string, gaps: number[] = []) => ({
    ...{ name, gaps },
    told: [...ids].map((id, at) => ({ id, at, what: `event ${id.toLowerCase()}` })),
  });

  it.each<[string, ReturnType<typeof reader>[], string[]]>([
    ["the same for all, of whom one has not come as far", [reader("x", "abc"), reader("y", "ab")], []],
    ["one event missing", [reader("x", "abc"), reader("y", "ac")], ['y: c came after "a", and b to others']],
    ["the first one missing", [reader("x", "ab"), reader("y", "b")], ['y: b came after "", and a to others']],
    ["one event twice", [reader("x", "aba")], ["x: a came twice"]],
    ["a gap where all is kept", [reader("x", "ab", [1])], ["x: something is gone that is kept"]],
  ])("is judged: %s", (_what, readers, expected) => {
    expect(whats(judgeFeed(readers))).toEqual(expected);
  });

  it("has one event for each id", () => {
    const other = { name: "y", gaps: [], told: [{ id: "a", at: 0, what: "something else" }] };
    expect(whats(judgeFeed([reader("x", "a"), other]))).toEqual([
      "y: a is something else, and event a to others",
    ]);
  });
});

describe("forms", () => {
  const passages = [{ life: 1, handedAt: 500, ackedAt: 600 }];
  const showing = (at: number, stay = 1, isReopened = false): Showing => ({ at, stay, isReopened });

  it.each<[string, Showing[], number | undefined, string[]]>([
    ["one", [showing(100)], 400, []],
    ["one that the player has closed", [showing(100), showing(200, 1, true)], 400, []],
    ["one of a player who was away", [showing(100), showing(200, 2)], 400, []],
    ["one for a stay whose answer was lost", [showing(100), showing(450, 2)], 400, []],
    ["two for one request", [showing(100), showing(200)], 400, ["the form of browser b came twice"]],
    [
      "one that came twice after the answer",
      [showing(100), showing(450)],
      400,
      ["the form of browser b came twice"],
    ],
    [
      "one after the answer was taken",
      [showing(100), showing(700, 2)],
      400,
      ["the form of browser b came again after it was answered"],
    ],
  ])("are judged: %s", (_what, showings, pressedAt, expected) => {
    expect(whats(judgeForms([{ browser: "b", showings, pressedAt, passages }]))).toEqual(expected);
  });
});

describe("game lines", () => {
  const ear = (texts: string[], more: Partial<Ear> = {}): Ear => ({
    ...{ name: "x", life: 1, from: 0, until: 9_000, heard: heard(...texts) },
    ...more,
  });
  const line = (text: string, ackedAt?: number, more: Partial<SaidLine> = {}): SaidLine => ({
    ...{ text, at: 100, run: 1, passages: [{ life: 1, handedAt: 200, ackedAt }] },
    ...more,
  });
  const run = (more: Partial<GameRun> = {}): GameRun => ({
    number: 1,
    endedAt: undefined,
    dropped: 0,
    ...more,
  });
  const life = (stopAskedAt?: number) => [{ number: 1, readyAt: 0, stopAskedAt }];
  const never = (text: string) => `"${text}" never reached the sidecar and was not announced as dropped`;
  const both = [line("a", 300), line("b", 300)];

  it.each<[string, SaidLine[], Ear[], GameRun[], number | undefined, string[]]>([
    ["all heard", both, [ear(["a", "b"])], [run()], undefined, []],
    ["one lost", both, [ear(["b"])], [run()], undefined, ['x: "a" did not come']],
    ["one doubled", both, [ear(["a", "a", "b"])], [run()], undefined, ['x: "a" came twice']],
    ["reordered", both, [ear(["b", "a"])], [run()], undefined, ['x: "a" came after "b"']],
    ["a connection that came later", both, [ear([], { from: 250 })], [run()], undefined, []],
    ["a connection that ended before", both, [ear([], { until: 250 })], [run()], undefined, []],
    ["a connection to another process", both, [ear([], { life: 2 })], [run()], undefined, []],
    ["one never taken", [line("a", 300), line("b")], [ear(["a"])], [run()], undefined, [never("b")]],
    [
      "the last ones before a crash",
      [line("a", 300), line("b")],
      [ear(["a"])],
      [run({ endedAt: 400 })],
      undefined,
      [],
    ],
    [
      "one before the last of a crashed game",
      [line("a"), line("b", 300)],
      [ear(["b"])],
      [run({ endedAt: 400 })],
      undefined,
      [never("a")],
    ],
    [
      "one that was announced as dropped",
      [line("a"), line("b", 300)],
      [ear(["b"])],
      [run({ dropped: 1 })],
      undefined,
      [],
    ],
    [
      "one taken by a sidecar that was stopping",
      [line("a", 300)],
      [ear([], { until: 250 })],
      [run()],
      100,
      ['"a" was taken by a sidecar that let go of its sockets'],
    ],
  ])("are judged: %s", (_what, lines, ears, runs, stopAskedAt, expected) => {
    expect(whats(judgeGameLines(lines, ears, runs, life(stopAskedAt)).violations)).toEqual(expected);
  });

  it.each<[string, Ear, string[]]>([
    ["one that a connection ended before", ear([], { until: 2_000 }), []],
    ["one that came late", ear(["a", "b"], { until: 2_000 }), []],
    ["one that never came", ear([]), ['x: "a" did not come', 'x: "b" did not come']],
    ["one that was left out", ear(["b"], { until: 2_000 }), ['x: "a" did not come']],
  ])("of several sidecars are judged: %s", (_what, one, expected) => {
    expect(whats(judgeGameLines(both, [one], [run()], [], 5_000).violations)).toEqual(expected);
  });
});

describe("web lines", () => {
  const mouth = (speaker: string, said: string[], more: Partial<Mouth> = {}): Mouth => ({
    ...{ name: speaker, speaker, life: 1, from: 0, until: 99_000 },
    ...{ said: said.map((text, i) => ({ text, at: 1_000 + i })), heard: [], exceptions: [] },
    ...more,
  });
  const ann = (more: Partial<Mouth> = {}): Mouth => mouth("ann", ["ann 1", "ann 2"], more);
  const bob = (texts: string[]): Mouth => mouth("bob", [], { heard: heard(...texts) });
  const all = ["ann 1", "ann 2"];

  it.each<[string, Mouth[], string[], string[]]>([
    ["all shown and heard", [ann(), bob(all)], all, []],
    ["one lost", [ann(), bob(all)], ["ann 2"], ['ann: "ann 1" did not reach the game, without an EXCEPTION']],
    ["one answered with an EXCEPTION", [ann({ exceptions: [5_000] }), bob(all)], ["ann 2"], []],
    ["one whose connection ended", [ann({ until: 5_000 }), bob(all)], [], []],
    ["one doubled", [ann(), bob(all)], ["ann 1", "ann 1", "ann 2"], ['the game: "ann 1" came twice']],
    ["reordered", [ann(), bob(all)], ["ann 2", "ann 1"], ['the game: "ann 1" came after "ann 2"']],
    ["one that another did not hear", [ann(), bob(["ann 2"])], all, ['bob: "ann 1" did not come']],
    ["one that came back", [ann({ heard: heard("ann 1") }), bob(all)], all, ['ann: heard its own "ann 1"']],
  ])("are judged: %s", (_what, mouths, shown, expected) => {
    expect(whats(judgeWebLines(mouths, heard(...shown)))).toEqual(expected);
  });

  it("of several sidecars may reach nobody when they did not reach the game", () => {
    const mouths = [ann({ exceptions: [5_000] }), bob(["ann 2"])];
    expect(whats(judgeWebLines(mouths, heard("ann 2"), true))).toEqual([]);
    expect(whats(judgeWebLines([ann(), bob([])], heard(...all), true))).toHaveLength(2);
  });
});

describe("links", () => {
  const story = (more: Partial<LinkStory>): LinkStory => ({
    ...{ browser: "b", askedAt: 0, answeredAt: 100, status: 202, pressed: "accepted", unlinked: undefined },
    ...{ passages: [{ life: 1, handedAt: 500, ackedAt: 600 }], final: "accepted" },
    ...more,
  });
  const late = [{ life: 1, handedAt: 1_200, ackedAt: 1_300 }];

  it.each<[string, Partial<LinkStory>, boolean]>([
    ["accepted", {}, true],
    ["accepted and forgotten", { final: "declined" }, false],
    ["declined", { pressed: "declined", final: "declined" }, true],
    ["declined and accepted all the same", { pressed: "declined" }, false],
    ["left open", { pressed: undefined, passages: [], final: "declined" }, true],
    ["left open and pending for ever", { pressed: undefined, passages: [], final: "pending" }, false],
    ["accepted too late", { passages: late, final: "declined" }, true],
    ["accepted too late, and it counted", { passages: late }, false],
    ["accepted though it was answered 500", { status: 500 }, false],
    ["answered 500", { status: 500, final: "not_linked" }, true],
    ["asked with nothing heard back", { status: undefined, final: "not_linked" }, true],
    ["unlinked", { unlinked: 200, final: "not_linked" }, true],
    ["unlinked and linked all the same", { unlinked: 200 }, false],
    ["accepted and not to be unlinked", { unlinked: 400 }, false],
  ])("are judged: %s", (_what, more, isFine) => {
    expect(judgeLinks([story(more)], 1_000)).toHaveLength(isFine ? 0 : 1);
  });
});

describe("requests", () => {
  const asked = (more: Partial<Asked>): Asked => ({
    ...{ what: "a", askedAt: 0, answeredAt: 30, status: 202, life: 1, ofGame: true },
    ...more,
  });
  const slow = asked({ answeredAt: 10_000, status: 500 });

  it("may not wait for an outcome while later ones have theirs", () => {
    const later = asked({ what: "b", askedAt: 5_000, answeredAt: 5_027 });
    expect(whats(judgeWaits([slow, later]))).toEqual([
      "a: no outcome, while b, asked later, had one in 27 ms",
    ]);
    expect(judgeWaits([slow, { ...later, status: 429 }])).toEqual([]);
    expect(judgeWaits([slow])).toEqual([]);
    expect(judgeWaits([slow, { ...later, life: 2 }])).toEqual([]);
  });

  it("are answered by a sidecar that stops in order", () => {
    const cut = asked({ status: undefined, askedAt: 100, answeredAt: 2_000 });
    const lives = (stopAskedAt?: number) => [{ number: 1, readyAt: 0, stopAskedAt }];
    expect(whats(judgeCutOff([cut], lives(1_000)))).toEqual([
      "a: cut off by a sidecar that was asked to stop",
    ]);
    expect(judgeCutOff([cut], lives())).toEqual([]);
    expect(judgeCutOff([{ ...cut, askedAt: 1_100 }], lives(1_000))).toEqual([]);
  });

  it.each<[number | undefined, number, number, number]>([
    [202, 1, 1, 0],
    [202, 1, 0, 1],
    [202, 2, 1, 1],
    [undefined, 1, 1, 0],
    [500, 0, 0, 0],
    [500, 1, 1, 0],
    [202, 1, 2, 1],
  ])(
    "for a name, answered %s, tried %d times and listed %d times, break %d rules",
    (status, tries, listed, expected) => {
      expect(judgeNames([{ name: "n", asked: asked({ status }), tries, listed }])).toHaveLength(expected);
    },
  );
});

describe("figures", () => {
  const sample = (at: number, deaths: number, playtimeSeconds = 100) => ({
    ...{ at, players: [{ name: "Steve", deaths, playerKills: 0, playtimeSeconds }] },
  });
  const death = { at: 900, victim: "Steve", killer: "Alex" };
  const crash = { at: 1_000, savedAt: 500 };

  it("go back over a crash only, and by what was not saved", () => {
    expect(judgeFigures([sample(0, 1), sample(2_000, 1)], [], [])).toEqual([]);
    expect(whats(judgeFigures([sample(0, 1), sample(2_000, 0)], [], [death]))).toEqual([
      "deaths of Steve: 1, then 0; a crash allows for 0",
    ]);
    expect(judgeFigures([sample(0, 1), sample(2_000, 0)], [crash], [death])).toEqual([]);
    expect(judgeFigures([sample(0, 1), sample(2_000, 0)], [crash], [{ ...death, at: 400 }])).toHaveLength(1);
    expect(judgeFigures([sample(0, 0, 100), sample(2_000, 0, 80)], [crash], [])).toEqual([]);
    expect(judgeFigures([sample(0, 0, 100), sample(2_000, 0, 80)], [], [])).toHaveLength(1);
  });

  it("hold every death in the end but those of a crash", () => {
    expect(judgeCounts(sample(2_000, 1), [], [death])).toEqual([]);
    expect(judgeCounts(sample(2_000, 0), [crash], [death])).toEqual([]);
    expect(whats(judgeCounts(sample(2_000, 0), [], [death]))).toEqual([
      "Steve: 0 as victim, expected 1 to 1",
    ]);
    expect(judgeCounts(sample(2_000, 2), [crash], [death])).toHaveLength(1);
  });
});

describe("memory", () => {
  const samples = (bytes: (i: number) => number) =>
    Array.from({ length: 40 }, (_, i) => ({ at: i, life: 1, bytes: bytes(i) * 2 ** 20 }));

  it("may rise in the beginning and may not go on rising", () => {
    const judge = (bytes: (i: number) => number): string[] =>
      whats(judgeMemory("it", samples(bytes), 2 ** 20));
    expect(judge(i => Math.min(i, 10))).toEqual([]);
    expect(judge(i => 60 + (i % 3))).toEqual([]);
    expect(judge(i => i)).toEqual(["it 1: grew from 15.0 to 35.0 MiB"]);
  });
});

describe("a game server while faults meet others only", () => {
  const asked = (askedAt: number, status?: number): Asked => ({
    ...{ what: "the players", askedAt, answeredAt: askedAt + 10, status, life: 1, ofGame: false },
  });
  const mouth = (more: Partial<Mouth> = {}): Mouth => ({
    ...{ name: "ear", speaker: "ear", life: 1, from: 0, until: Number.POSITIVE_INFINITY },
    ...{ heard: [], said: [], exceptions: [] },
    ...more,
  });
  const judge = (requests: Asked[], mouths: Mouth[]): string[] =>
    judgeAlone({ from: 100, until: 200 }, requests, mouths).map(({ what }) => what);

  it("answers every request, takes every line and ends no connection", () => {
    expect(judge([asked(150, 200), asked(150, 400)], [mouth()])).toEqual([]);
    expect(
      judge([asked(150, 503), asked(160)], [mouth({ exceptions: [150] }), mouth({ until: 150 })]),
    ).toEqual([
      "the players: 503, while faults met others only",
      "the players: no answer, while faults met others only",
      "ear: a line did not reach the game, while faults met others only",
      "ear: ended, while faults met others only",
    ]);
  });

  it("may be away before and after", () => {
    const outside = [asked(50, 503), asked(195, 503), asked(250)];
    expect(judge(outside, [mouth({ exceptions: [50, 250], until: 300 })])).toEqual([]);
  });
});

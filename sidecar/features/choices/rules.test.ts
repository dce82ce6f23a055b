import { describe, expect, it } from "@jest/globals";
import { believed, isNothing, mergeChoices } from "./rules.ts";

describe("what a game server tells of a player", () => {
  it("[CHOICE-4] is believed of one who is there", () => {
    const all = [
      {},
      { blocked: true },
      { blocked: false },
      { hidden: false },
      { blocked: false, hidden: true },
    ];
    expect(all.map(reported => believed(reported, true))).toEqual(all);
  });

  it("[CHOICE-4] is believed of one who is not there where it hides or blocks, and else not", () => {
    expect(believed({ blocked: true, hidden: true }, false)).toEqual({ blocked: true, hidden: true });
    expect(believed({ blocked: false, hidden: true }, false)).toEqual({ hidden: true });
    expect(isNothing(believed({ blocked: false, hidden: false }, false))).toBe(true);
  });
});

describe("a player who comes to a game server", () => {
  it.each([
    ["is left alone where nothing was ever chosen", {}, { blocked: false, hidden: false }, {}, undefined],
    ["tells what nobody knew", {}, { blocked: true, hidden: false }, { blocked: true }, undefined],
    [
      "is as was chosen elsewhere",
      { hidden: true },
      { blocked: false, hidden: false },
      {},
      { blocked: false, hidden: true },
    ],
    [
      "is no more what was undone elsewhere",
      { hidden: false },
      { blocked: false, hidden: true },
      {},
      { blocked: false, hidden: false },
    ],
    [
      "is both that and what nobody knew",
      { hidden: true },
      { blocked: true, hidden: false },
      { blocked: true },
      { blocked: true, hidden: true },
    ],
    [
      "gets nothing that it has already",
      { blocked: true, hidden: false },
      { blocked: true, hidden: false },
      {},
      undefined,
    ],
  ])("[CHOICE-6] %s", (_what, known, here, news, toApply) => {
    expect(mergeChoices(known, here)).toEqual({ news, toApply });
  });
});

import { describe, expect, it } from "@jest/globals";
import { believed, isNothing, mergeChoices } from "./rules.ts";

describe("settings that a game server reports for a player", () => {
  it("[CHOICE-4] count if the player is online there", () => {
    const all = [
      {},
      { blocked: true },
      { blocked: false },
      { hidden: false },
      { blocked: false, hidden: true },
    ];
    expect(all.map(reported => believed(reported, true))).toEqual(all);
  });

  it("[CHOICE-4] count for a player who is not online only if they hide or block", () => {
    expect(believed({ blocked: true, hidden: true }, false)).toEqual({ blocked: true, hidden: true });
    expect(believed({ blocked: false, hidden: true }, false)).toEqual({ hidden: true });
    expect(isNothing(believed({ blocked: false, hidden: false }, false))).toBe(true);
  });
});

describe("a player who joins a game server", () => {
  it.each([
    ["changes nothing if nothing was ever chosen", {}, { blocked: false, hidden: false }, {}, undefined],
    [
      "has settings that were not stored yet",
      {},
      { blocked: true, hidden: false },
      { blocked: true },
      undefined,
    ],
    [
      "gets what was chosen on another game server",
      { hidden: true },
      { blocked: false, hidden: false },
      {},
      { blocked: false, hidden: true },
    ],
    [
      "loses settings that were undone on another game server",
      { hidden: false },
      { blocked: false, hidden: true },
      {},
      { blocked: false, hidden: false },
    ],
    [
      "has both stored and new settings",
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

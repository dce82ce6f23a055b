import { describe, expect, it } from "@jest/globals";
import type { PlayerData } from "../../client/index.ts";
import { findPlayers, sortPlayers } from "./player-order.ts";

const player = (name: string, deaths = 0): PlayerData => ({
  ...{ name, uuid: `uuid of ${name}`, health: 20, playerKills: 0, deaths, playtimeSeconds: 60 },
});
const names = (players: readonly PlayerData[]): string[] => players.map(({ name }) => name);
const ALL = [player("Zuri", 2), player("alex", 2), player("Ñandú", 7), player("Steve")];

describe("the players online", () => {
  it("are sorted by a column, up or down, and equal ones by name", () => {
    expect(names(sortPlayers(ALL, "name", true))).toEqual(["alex", "Ñandú", "Steve", "Zuri"]);
    expect(names(sortPlayers(ALL, "deaths", false))).toEqual(["Ñandú", "alex", "Zuri", "Steve"]);
    expect(names(sortPlayers(ALL, "deaths", true))).toEqual(["Steve", "alex", "Zuri", "Ñandú"]);
  });

  it("are sorted by the numbers in their names", () => {
    const all = ["Steve 10", "Steve 2", "Steve 1"].map(name => player(name));
    expect(names(sortPlayers(all, "name", true))).toEqual(["Steve 1", "Steve 2", "Steve 10"]);
  });

  it("are found by any part of the name, ignoring case", () => {
    expect(names(findPlayers(ALL, " E"))).toEqual(["alex", "Steve"]);
    expect(names(findPlayers(ALL, "ñANDÚ"))).toEqual(["Ñandú"]);
    expect(findPlayers(ALL, " ")).toBe(ALL);
    expect(findPlayers(ALL, "nobody")).toEqual([]);
  });
});

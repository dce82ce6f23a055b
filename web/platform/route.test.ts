import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { BEGINNING_LENGTH, hashOf, routeOf, SORTS } from "./route.ts";

const OVERVIEW = { page: "overview", view: "online", sort: "last-seen", name: "", uuid: "" };

describe("the route of an address", () => {
  it.each(["", "#", "#overview", "#nowhere", "#player", "#player/", "#__proto__", "#%"])(
    "is the overview for %j",
    hash => {
      expect(routeOf(hash)).toEqual(OVERVIEW);
    },
  );

  it.each(["chat", "you", "administration"])("is the page of the name %s", page => {
    expect(routeOf(`#${page}`)).toEqual({ ...OVERVIEW, page });
  });

  it("is the administration, also under its former name", () => {
    expect(routeOf("#whitelist")).toEqual(routeOf("#administration"));
  });

  it("is a player for any id", () => {
    expect(routeOf("#player/25f6be79-78bb-5d2a-9d14-dde1a1ccd90a")).toMatchObject({
      ...{ page: "player", uuid: "25f6be79-78bb-5d2a-9d14-dde1a1ccd90a" },
    });
    expect(routeOf("#player/%22")).toMatchObject({ page: "player", uuid: "%22" });
  });

  it("has the default order if the address has no valid one", () => {
    expect(routeOf("#leaderboard/first-seen")).toMatchObject({ view: "leaderboard", sort: "playtime" });
    expect(routeOf("#everybody/best")).toMatchObject({ view: "everybody", sort: "last-seen" });
    expect(routeOf("#everybody/name/%E0%A4%A")).toMatchObject({ view: "everybody", name: "" });
    expect(routeOf(`#everybody/name/${"😀".repeat(40)}`).name).toBe("😀".repeat(BEGINNING_LENGTH));
  });

  it("matches the address of every view, order and search", () => {
    for (const view of ["leaderboard", "everybody"] as const)
      for (const sort of SORTS[view])
        expect(routeOf(hashOf(view, sort))).toMatchObject({ view, sort, name: "" });
    const names = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(
        names.filter(name => [...name].length <= BEGINNING_LENGTH),
        name =>
          expect(routeOf(hashOf("everybody", "kills", name))).toMatchObject({ view: "everybody", name }),
      ),
    );
  });
});

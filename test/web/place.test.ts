import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { BEGINNING_LENGTH, hashOf, placeOf, SORTS } from "../../web/platform/route.ts";

const OVERVIEW = { page: "overview", view: "online", sort: "last-seen", name: "", uuid: "" };

describe("the place in the page that an address names", () => {
  it.each(["", "#", "#overview", "#nowhere", "#player", "#player/", "#__proto__", "#%"])(
    "is the overview for %j",
    hash => {
      expect(placeOf(hash)).toEqual(OVERVIEW);
    },
  );

  it.each(["chat", "you", "whitelist"])("is the page of the name %s", page => {
    expect(placeOf(`#${page}`)).toEqual({ ...OVERVIEW, page });
  });

  it("is a player, whatever stands there for one", () => {
    expect(placeOf("#player/25f6be79-78bb-5d2a-9d14-dde1a1ccd90a")).toMatchObject({
      ...{ page: "player", uuid: "25f6be79-78bb-5d2a-9d14-dde1a1ccd90a" },
    });
    expect(placeOf("#player/%22")).toMatchObject({ page: "player", uuid: "%22" });
  });

  it("is sorted as ever where it names no order of the view", () => {
    expect(placeOf("#fame/first-seen")).toMatchObject({ view: "fame", sort: "playtime" });
    expect(placeOf("#everybody/best")).toMatchObject({ view: "everybody", sort: "last-seen" });
    expect(placeOf("#everybody/name/%E0%A4%A")).toMatchObject({ view: "everybody", name: "" });
    expect(placeOf(`#everybody/name/${"😀".repeat(40)}`).name).toBe("😀".repeat(BEGINNING_LENGTH));
  });

  it("is where the address of a view leads, for every choice and name", () => {
    for (const view of ["fame", "everybody"] as const)
      for (const sort of SORTS[view])
        expect(placeOf(hashOf(view, sort))).toMatchObject({ view, sort, name: "" });
    const names = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(
        names.filter(name => [...name].length <= BEGINNING_LENGTH),
        name =>
          expect(placeOf(hashOf("everybody", "kills", name))).toMatchObject({ view: "everybody", name }),
      ),
    );
  });
});

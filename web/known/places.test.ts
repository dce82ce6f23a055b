import { describe, expect, it } from "@jest/globals";
import { placeAmong } from "./places.ts";

const ALL = { next: null, total: 4 };
const PART = { next: "more", total: 900 };

describe("the place of a player", () => {
  it("is after all with more, and shared by equal ones", () => {
    expect(placeAmong(9, [9, 7, 7, 1], ALL)).toEqual({ place: 1, total: 4 });
    expect(placeAmong(7, [9, 7, 7, 1], ALL)).toEqual({ place: 2, total: 4 });
    expect(placeAmong(1, [9, 7, 7, 1], ALL)).toEqual({ place: 4, total: 4 });
  });

  it("is known only among the first if the list is longer", () => {
    expect(placeAmong(5, [9, 7, 5], PART)).toEqual({ place: 3, total: 900 });
    expect(placeAmong(4, [9, 7, 5], PART)).toBeUndefined();
  });

  it("is undefined for a value of zero", () => {
    expect(placeAmong(0, [9, 0], ALL)).toBeUndefined();
  });
});

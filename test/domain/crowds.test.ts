import { describe, expect, it } from "@jest/globals";
import {
  isCalm,
  isRefusedTooOften,
  leavesTooMuch,
  noteRefusal,
  placeFor,
  shareOf,
} from "../../sidecar/domain/crowds.ts";

describe("a place", () => {
  it.each([
    [{ all: 4, ofAddress: 1 }, "free"],
    [{ all: 5, ofAddress: 1 }, "full"],
    [{ all: 4, ofAddress: 2 }, "none"],
    [{ all: 5, ofAddress: 2 }, "none"],
  ])("of five, and two for an address, where there are %j is %s", (present, place) => {
    expect(placeFor(present, { most: 5, mostPerAddress: 2 })).toBe(place);
  });
});

describe("the last quarter of the places", () => {
  const [many, few] = [
    { most: 1_000, mostPerAddress: 400 },
    { most: 20, mostPerAddress: 10 },
  ];
  it.each([
    [many, { all: 749, ofAddress: 399 }, "free"],
    [many, { all: 750, ofAddress: 20 }, "none"],
    [many, { all: 999, ofAddress: 19 }, "free"],
    [many, { all: 1_000, ofAddress: 19 }, "full"],
    [few, { all: 14, ofAddress: 8 }, "free"],
    [few, { all: 15, ofAddress: 8 }, "none"],
    [few, { all: 15, ofAddress: 7 }, "free"],
    // Everybody comes from one address, as from a proxy that is not believed.
    [{ most: 1_000, mostPerAddress: 1_000 }, { all: 999, ofAddress: 999 }, "free"],
  ])("of %j, where there are %j, is %s", (places, present, place) => {
    expect(placeFor(present, places)).toBe(place);
  });
});

it("a reader leaves too much once what it has not read and what comes are more than may wait, and never what comes alone", () => {
  expect(leavesTooMuch(1, 99, 100)).toBe(false);
  expect(leavesTooMuch(1, 100, 100)).toBe(true);
  expect(leavesTooMuch(0, 1_000, 100)).toBe(false);
});

describe("a request", () => {
  it("is dealt with whoever asks as the 256th of a turn, and before half a millisecond of it is over", () => {
    expect([isCalm(0.49, 256), isCalm(0.5, 1), isCalm(0, 257)]).toEqual([true, false, false]);
  });

  it.each([
    [0.5, 200, 8, 0, "now"],
    [0.5, 200, 9, 2_048, "later"],
    [0.5, 200, 9, 2_049, "over"],
    [0.4, 256, 9, 9_999, "now"],
    [0.4, 257, 1, 0, "over"],
  ])(
    "%d ms into a turn, as the %dth of its address and the %dth since that is long, with %d that wait, is dealt with %s",
    (ms, inTurn, inTheRest, waiting, share) => {
      expect(shareOf(ms, inTurn, inTheRest, waiting)).toBe(share);
    },
  );
});

it("a socket has too many refused messages with the hundredth in ten seconds", () => {
  const refusedAt: number[] = [];
  for (let i = 0; i < 99; i++) noteRefusal(refusedAt, i);
  expect(isRefusedTooOften(refusedAt)).toBe(false);
  noteRefusal(refusedAt, 10_000);
  expect(isRefusedTooOften(refusedAt)).toBe(false);
  noteRefusal(refusedAt, 10_000);
  expect(isRefusedTooOften(refusedAt)).toBe(true);
});

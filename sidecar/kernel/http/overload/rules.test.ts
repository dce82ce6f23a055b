import { describe, expect, it } from "@jest/globals";
import {
  addRefusals,
  addRefusedMessage,
  checkLimits,
  exceedsBuffer,
  noRefusals,
  secondsLeft,
} from "./rules.ts";

describe("a place", () => {
  it.each([
    [{ all: 4, ofAddress: 1 }, "free"],
    [{ all: 5, ofAddress: 1 }, "full"],
    [{ all: 4, ofAddress: 2 }, "none"],
    [{ all: 5, ofAddress: 2 }, "none"],
  ])("with a limit of five, and two for an address, and %j connected: %s", (present, place) => {
    expect(checkLimits(present, { most: 5, mostPerAddress: 2 })).toBe(place);
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
    // All clients share an address, as behind a proxy that is not trusted.
    [{ most: 1_000, mostPerAddress: 1_000 }, { all: 999, ofAddress: 999 }, "free"],
  ])("of %j, with %j connected: %s", (places, present, place) => {
    expect(checkLimits(present, places)).toBe(place);
  });
});

it("a client exceeds its limit once unread and new bytes together are too many, and never by new bytes alone", () => {
  expect(exceedsBuffer(1, 99, 100)).toBe(false);
  expect(exceedsBuffer(1, 100, 100)).toBe(true);
  expect(exceedsBuffer(0, 1_000, 100)).toBe(false);
});

it("a socket has too many rejected messages with the hundredth in ten seconds", () => {
  const refusedAt: number[] = [];
  for (let i = 0; i < 98; i++) addRefusedMessage(refusedAt, i);
  expect(addRefusedMessage(refusedAt, 98)).toBe(false);
  expect(addRefusedMessage(refusedAt, 10_000)).toBe(false);
  expect(addRefusedMessage(refusedAt, 10_000)).toBe(true);
});

describe("an address", () => {
  it("is blocked for ten seconds with the 101st refusal within ten seconds", () => {
    const strikes = noRefusals(0);
    for (let i = 0; i < 100; i++) expect(addRefusals(strikes, i)).toBe(false);
    expect(addRefusals(strikes, 9_999)).toBe(true);
    expect([9_999, 18_999, 19_998, 19_999].map(now => secondsLeft(strikes, now))).toEqual([10, 1, 1, 0]);
  });

  it("is not blocked for a hundred refusals in each ten seconds", () => {
    const strikes = noRefusals(0);
    for (let round = 0; round < 5; round++) expect(addRefusals(strikes, round * 10_000, 100)).toBe(false);
  });

  it("is blocked for twice as long each time, at most a minute", () => {
    const strikes = noRefusals(0);
    const times: number[] = [];
    for (let round = 0; round < 5; round++) {
      expect(addRefusals(strikes, Math.max(0, strikes.until), 101)).toBe(true);
      times.push(strikes.lastMs);
    }
    expect(times).toEqual([10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  it("is not blocked longer for requests during the block", () => {
    const strikes = noRefusals(0);
    addRefusals(strikes, 0, 101);
    expect(addRefusals(strikes, 9_999, 1_000)).toBe(false);
    expect(addRefusals(strikes, 10_000, 100)).toBe(false);
    expect(secondsLeft(strikes, 10_000)).toBe(0);
  });

  it("counts as never blocked five minutes later", () => {
    const strikes = noRefusals(0);
    addRefusals(strikes, 0, 101);
    addRefusals(strikes, strikes.until, 101);
    expect(addRefusals(strikes, strikes.until + 300_000, 101)).toBe(true);
    expect(strikes.lastMs).toBe(10_000);
  });
});

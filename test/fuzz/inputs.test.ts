import { describe, expect, it } from "@jest/globals";
import { makeInput } from "../../lab/fuzz/run.ts";
import { calls } from "../../sidecar/contracts/operations.ts";
import { testConfig } from "../helpers/sidecar.ts";

/** As many as the long tests send. */
const INPUTS = 3_000;

describe("odd inputs", () => {
  const target = { cookie: "c=1", adminKey: "k", token: "t", run: "r", session: () => "s" };
  const make = (seed: number, number: number): string =>
    Buffer.concat(makeInput(seed, number, target).pieces).toString("latin1");

  it("make every call that is described", () => {
    const made = Array.from({ length: INPUTS }, (_, number) => make(1, number)).join("\n");
    const described = Object.keys(calls(testConfig().modules.api));
    const beginnings = described.map(at =>
      at.replace(/^\w+/, method => method.toUpperCase()).replace(/\{.*/, ""),
    );
    expect(beginnings.filter(beginning => !made.includes(beginning))).toEqual([]);
  });

  it("are made again by their number", () => {
    const numbers = Array.from({ length: 200 }, (_, number) => number);
    // The cookies of browsers that nobody has seen are new each time.
    const known = numbers.filter(number => makeInput(1, number, target).door !== "public");
    expect(known.map(number => make(1, number))).toEqual(known.map(number => make(1, number)));
    expect(known.map(number => make(1, number))).not.toEqual(known.map(number => make(2, number)));
  });
});

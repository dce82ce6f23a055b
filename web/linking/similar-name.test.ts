import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { similarName } from "./similar-name.ts";

const NAMES = ["Steve", "Alex", "Ari Vale"];

describe("the suggested name", () => {
  it("is the nearest name of an online player, ignoring case, and up to two letters away", () => {
    expect(similarName("steve", NAMES)).toBe("Steve");
    expect(similarName(" STEEV ", NAMES)).toBe("Steve");
    expect(similarName("arivale", NAMES)).toBe("Ari Vale");
    expect(similarName("Alexx", NAMES)).toBe("Alex");
  });

  it("is missing if no name is similar, in particular for a short name", () => {
    expect(similarName("Herobrine", NAMES)).toBeUndefined();
    expect(similarName("x", ["y"])).toBeUndefined();
    expect(similarName("Steve", [])).toBeUndefined();
    expect(similarName("Steve", ["Steve"])).toBeUndefined();
  });

  it("is the name itself in another case, no matter who else is online", () => {
    const name = fc.stringMatching(/^[A-Z][a-z]{3,12}$/);
    fc.assert(
      fc.property(name, fc.array(name), (one, others) => {
        const all = [...others.filter(other => other.toLowerCase() !== one.toLowerCase()), one];
        expect(similarName(one.toLowerCase(), all)).toBe(one);
      }),
    );
  });
});

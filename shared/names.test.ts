import { describe, expect, it } from "@jest/globals";
import { earlierNames, foldName, isSameName, mayBeName, normalizeName, renamed, unquote } from "./names.ts";

describe("names", () => {
  it.each([
    ["Jose\u0301", "JOSÉ"],
    ["Straße", "STRASSE"],
    ["Stra\u1e9ee", "strasse"],
    ["ΟΔΥΣΣΕΥΣ", "οδυσσευς"],
    ["σΣς", "ΣΣΣ"],
    ["ﬁre", "FIRE"],
    ["Ｓｔｅｖｅ", "steve"],
    ["Old  Steve", " old\u00a0steve\t"],
    ["ŉed", "ʼNED"],
    ["İ", "i\u0307"],
    ["\u1fb3", "ΑΙ"],
    ["가", "\u1100\u1161"],
  ])("%j and %j are the same", (one, other) => {
    expect(isSameName(one, other)).toBe(true);
    expect(foldName(foldName(one))).toBe(foldName(one));
  });

  it.each([
    ["Kılıç", "Kiliç"],
    ["Jose", "José"],
    ["OldSteve", "Old Steve"],
    ["Steve#1", "Steve#2"],
  ])("%j and %j differ", (one, other) => {
    expect(isSameName(one, other)).toBe(false);
  });

  it("are compared ignoring case if the engine has no Unicode normalization", () => {
    const { normalize } = String.prototype;
    try {
      Object.defineProperty(String.prototype, "normalize", {
        value: undefined,
        configurable: true,
        writable: true,
      });
      expect(foldName("JOSÉ  x ")).toBe("josé x");
    } finally {
      Object.defineProperty(String.prototype, "normalize", {
        value: normalize,
        configurable: true,
        writable: true,
      });
    }
  });

  it.each([
    ["Steve", true],
    ["Old Steve", true],
    ["Steve#1234", true],
    ["José", true],
    ["スティーブ", true],
    ["x".repeat(16), true],
    ["x".repeat(17), false],
    ["@a", false],
    ["＠ａ", false],
    ["no_name", false],
    ["§4x", false],
    ["a\u0000b", false],
    ["Steve#12345", false],
    [" ", false],
    ["Old\u00a0 Steve", true],
    ["“Steve”", false],
    ["«Steve»", false],
    ["St\u200deve", false],
    ["\u202eeve", false],
    ["St\ufeffeve", false],
    ["St\u2028eve", false],
  ])("%j may be a name: %s", (name, may) => {
    expect(mayBeName(name)).toBe(may);
  });

  it("have no quotes and no invisible characters", () => {
    const none = /[\p{Cf}\p{Pi}\p{Pf}\p{Zl}\p{Zp}\p{Cs}\ue000-\uf8ff\p{Default_Ignorable_Code_Point}]/u;
    const all = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));
    expect(all.filter(each => none.test(each) && mayBeName(`a${each}b`))).toEqual([]);
  });

  it.each([
    ["“Old Steve”", "Old Steve"],
    ["„Steve“", "Steve"],
    ["‘Steve’", "Steve"],
    ["« Steve »", "Steve"],
    ["‹Steve›", "Steve"],
    ["“Steve", "“Steve"],
    ["Steve", "Steve"],
    ["”", "”"],
  ])("%j is typed for %j", (typed, name) => {
    expect(unquote(typed)).toBe(name);
  });

  it("are stored as shown, with earlier names newest first and without duplicates", () => {
    expect(normalizeName(" Jose\u0301  Maria ")).toBe("José Maria");
    expect(earlierNames("Alex", ["ALEX", "", "Steve", "steve", "Zoe"])).toEqual(["Steve", "Zoe"]);
    expect(renamed({ name: "Steve", names: ["Zoe", "Alex"], at: 1 }, "Alex")).toEqual({
      ...{ name: "Alex", at: 1 },
      names: ["Steve", "Zoe"],
    });
    expect(renamed({ name: "STEVE" }, "Steve")).toEqual({ name: "Steve" });
  });
});

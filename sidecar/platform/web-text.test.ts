import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { cleanWebText, INVISIBLE } from "./web-text.ts";

describe("a text from the website", () => {
  it.each([
    ["formatting codes", "§4a§§b§", "ab"],
    ["line breaks and control characters", "a\r\nb\u0007c\u0085\u2028d", "abcd"],
    ["bidirectional overrides", "a\u202eb\u2066c\u200fd", "abcd"],
    ["zero-width characters", "a\u200bb\u200dc\ufeffd\u2060e", "abcde"],
    [
      "joiners between what does not join",
      "می\u200c خ a\u200cb 😀\u200da ا\u200c\u200cب 😀\ufe0f\ufe0f",
      "می خ ab 😀a اب 😀\ufe0f",
    ],
    ["joiners that are on nothing", "\u200d\ufe0fa \u200c\u0902\u200cक", "a क"],
    [
      "marks that joiners part",
      `क${"\u0902\u200d".repeat(9)}ष`,
      "क\u0902\u200d\u0902\u200d\u0902\u200d\u0902\u200dष",
    ],
    ["unpaired surrogates", "a\ud83db\ude00c", "abc"],
    ["a § before an emoji", "§😀x", "x"],
    ["a code hidden behind a zero-width character", "§\u200bcx", "cx"],
    ["variation selectors", "a\ufe0fb\u{e0101}c\u180bd", "abcd"],
    ["fillers that are drawn as nothing", "a\u3164b\u115fc\u1160d\uffa0e\u2800f\u17b4g", "abcdefg"],
    ["icons and badges of servers", "\ue100a\u{f0000}b\u{10fffd}c", "abc"],
    ["blanks that count as signs", "a\u{1d159}b\u{16fe4}c\u{13441}d\u{13442}e\ufffcf", "abcdef"],
    ["marks that are on nothing", "\u0301\u0302a \u0301b\u200b\u0301\u3000\u0308", "a b\u0301\u3000"],
    ["a mark left alone by what is removed", "\u200b\u0301a", "a"],
    [
      "marks beyond four on a letter",
      `a${"\u0301".repeat(5)}b${"\u0301\u0302".repeat(200)}`,
      `a${"\u0301".repeat(4)}b\u0301\u0302\u0301\u0302`,
    ],
    [
      "spaces beyond four in a row",
      `a${" ".repeat(150)}b${" \u3000\u00a0".repeat(50)}c`,
      "a    b \u3000\u00a0 c",
    ],
    ["spaces that a mark on nothing parts", "a   \u0301   b", "a    b"],
    ["noncharacters and unassigned code points", "a\ufffeb\u{1ffff}c\u0378d", "abcd"],
  ])("removes %s", (_what, content, clean) => {
    expect(cleanWebText(content)).toBe(clean);
  });

  it("accepts every visible code point and spaces, and no other", () => {
    // Letters, marks, numbers, punctuation, symbols and spaces of Unicode, except ignorable characters.
    const drawn = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]$/u;
    const ignorable = /^[\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}\u{16fe4}\u{13441}\u{13442}]$/u;
    const MANY = 0x100;
    const visible = (char: string): string => (drawn.test(char) && !ignorable.test(char) ? char : "");
    const wrong: string[] = [];
    for (let from = 0; from <= 0x10ffff; from += MANY) {
      const chars = Array.from({ length: MANY }, (_, i) => String.fromCodePoint(from + i)).filter(
        char => char !== "§",
      );
      // A mark is on a letter.
      const clean = cleanWebText(chars.map(char => `a${char}`).join(""));
      if (clean !== chars.map(char => `a${visible(char)}`).join(""))
        wrong.push(`from ${from.toString(16)} on`);
    }
    expect(wrong).toEqual([]);
  });

  it("names a reason for each class of what it removes, and each class removes something", () => {
    const all = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point)).join("");
    for (const { pattern, why } of INVISIBLE)
      expect([pattern, new RegExp(`[${pattern}]`, "u").test(all), why !== ""]).toEqual([pattern, true, true]);
  });

  it("accepts nothing that formats, hides or turns text", () => {
    const nasty = fc.string({
      unit: fc.oneof(
        fc.constantFrom("§", "\u202e", "\u200b", "\ud83d", "\ude00", "\n", "a", "😀"),
        fc.nat(0x10ffff).map(point => String.fromCodePoint(point)),
      ),
    });
    fc.assert(
      fc.property(nasty, content => {
        const clean = cleanWebText(content);
        expect(clean).not.toMatch(/§|\p{Cc}|\p{Surrogate}|[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f]/u);
        expect(cleanWebText(clean)).toBe(clean);
      }),
    );
  });
});

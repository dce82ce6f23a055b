import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { BEHIND_ALL } from "../../../kernel/storage/records.ts";
import { lowered } from "./known-list.ts";
import { joined, separated, sortable, unitsOf } from "./known-names.ts";

/** Code units at boundaries of the encoding. */
const BOUNDARIES = [
  ...[0, 1, 2, 0x1f, 0x20, 0x7e, 0x7f, 0x80, 0x7ff, 0x800],
  ...[0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000],
];
const name = fc
  .array(fc.oneof(fc.nat(0xffff), fc.constantFrom(...BOUNDARIES)), { maxLength: 4 })
  .map(units => String.fromCharCode(...units));

describe("the sort key of a name", () => {
  it("sorts like the name's code units, also with a suffix", () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        const bytes = [one, other].map(each => Buffer.from(sortable(each)));
        const ended = [one, other].map(each => Buffer.from(joined(sortable(each), "x")));
        const order = one === other ? 0 : one < other ? -1 : 1;
        for (const [a = Buffer.of(), b = Buffer.of()] of [bytes, ended])
          expect(Buffer.compare(a, b)).toBe(order);
      }),
      { numRuns: 2_000 },
    );
  });

  it("starts like the name, sorts before the end marker, and has no character 0", () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(sortable(one).startsWith(sortable(other))).toBe(one.startsWith(other));
        expect(sortable(one + other).startsWith(sortable(one))).toBe(true);
        expect(Buffer.compare(Buffer.from(sortable(one)), Buffer.from(BEHIND_ALL))).toBe(-1);
        expect(sortable(one)).not.toContain("\0");
      }),
      { numRuns: 2_000 },
    );
  });

  it("can be parsed with a suffix", () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        const both = [sortable(one), sortable(other)] as const;
        expect(separated(joined(...both))).toEqual(both);
      }),
    );
  });
});

describe("the units that a name may begin with", () => {
  it("are all that have this lower-case form, in order", () => {
    const units = Array.from({ length: 0x1_0000 }, (_, unit) => String.fromCharCode(unit));
    for (const letter of ["k", "i", "å", "ß", "σ", "s", "5", "\ud801"]) {
      expect(unitsOf(`${letter}x`)).toEqual(units.filter(unit => lowered(unit).charAt(0) === letter));
    }
    expect(unitsOf("k")).toEqual(["K", "k", "\u212a"]);
  });

  it("are none if the letter is not lower case", () => {
    expect([unitsOf("K"), unitsOf("\u0130")]).toEqual([[], []]);
  });

  it("include letters beyond the first plane", () => {
    const odd = Array.from({ length: 0x1_0000 }, (_, i) => String.fromCodePoint(0x1_0000 + i)).filter(
      letter => lowered(letter).charAt(0) !== letter.charAt(0),
    );
    expect(odd).toEqual([]);
  });
});

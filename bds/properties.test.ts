import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { readProperties, setProperties } from "./properties.ts";

describe("server.properties", () => {
  it.each([
    ["a=1\nb=2\n", { a: "3" }, "a=3\nb=2\n"],
    ["a=1\r\nb=2\r\n", { b: "3" }, "a=1\r\nb=3\r\n"],
    ["a=1\r\nb=2\nc=3", { c: "4" }, "a=1\r\nb=2\nc=4"],
    ["a=1\r\nb=2", { c: "3" }, "a=1\r\nb=2\r\nc=3\r\n"],
    ["", { a: "1" }, "a=1\n"],
    ["\uFEFFa=1\n", { a: "2" }, "\uFEFFa=2\n"],
    ["  a = 1  \n", { a: "2" }, "  a = 2  \n"],
    ["#a=1\n", { a: "2" }, "#a=1\na=2\n"],
    ["a=1\na=2\n", { a: "3" }, "a=3\na=3\n"],
    ["a=1\nb=2\n", { a: undefined }, "b=2\n"],
    ["no pair\n", { a: "1" }, "no pair\na=1\n"],
    ["aa=1\n", { a: "2" }, "aa=1\na=2\n"],
  ])("%j with %j becomes %j", (text, values, wanted) => {
    expect(setProperties(text, values)).toBe(wanted);
  });

  it("are trimmed, and the last value of a repeated key counts", () => {
    const text = "\uFEFF# c\r\n a = 1 \nb=\r\nlevel-name=My World = x\nb=2";
    expect([...readProperties(text)]).toEqual([
      ["a", "1"],
      ["b", "2"],
      ["level-name", "My World = x"],
    ]);
  });

  it.each([
    ["behind a key", (blanks: string) => `a${blanks}`, []],
    ["before a line's end", (blanks: string) => `a=1${blanks}`, [["a", "1"]]],
    ["in a value", (blanks: string) => `a=1${blanks}2`, [["a", `1${" ".repeat(2 ** 20)}2`]]],
    ["alone", (blanks: string) => blanks, []],
  ])("are read with a megabyte of blanks %s", (_where, make, wanted) => {
    expect([...readProperties(make(" ".repeat(2 ** 20)))]).toEqual(wanted);
  });

  const key = fc.stringMatching(/^[a-z]([a-z-]{0,6}[a-z])?$/);
  const value = fc.stringMatching(/^([!-~]([ -~]{0,8}[!-~])?)?$/);
  const line = fc.oneof(
    fc.tuple(key, fc.constantFrom("=", " = ", "= "), value).map(parts => parts.join("")),
    fc.stringMatching(/^#[ -~]{0,10}$/),
    fc.constant(""),
  );
  const file = fc
    .array(fc.tuple(line, fc.constantFrom("\n", "\r\n")))
    .chain(lines => fc.constantFrom(lines.flat().join(""), lines.flat().slice(0, -1).join("")));

  it("contain the new value, and everything else unchanged", () => {
    fc.assert(
      fc.property(file, key, value, (text, name, wanted) => {
        const before = readProperties(text);
        const result = setProperties(text, { [name]: wanted });
        expect(readProperties(result)).toEqual(new Map([...before, [name, wanted]]));
        expect(setProperties(result, { [name]: wanted })).toBe(result);
        const old = before.get(name);
        if (!before.has(name) && /(\n|^)$/.test(text))
          expect(setProperties(result, { [name]: undefined })).toBe(text);
        else if (old !== undefined)
          expect(readProperties(setProperties(result, { [name]: old }))).toEqual(before);
      }),
    );
  });
});

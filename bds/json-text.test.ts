import { describe, expect, it } from "@jest/globals";
import { isFault } from "./fault.ts";
import { editJson, parseJson } from "./json-text.ts";

function without(text: string, place: number): string {
  const result = editJson(text, [{ path: [place], value: undefined }]);
  if (isFault(result)) throw new Error(result.fault);
  return result.text;
}

describe("removing an entry from a list", () => {
  it.each([
    ["the last one, after a comment", '[\n  "a", // mine\n  "o"\n]', 1, '[\n  "a" // mine\n]'],
    ["the last one, before a bracket", '[ "a", // mine\n  "o" ]', 1, '[ "a" // mine\n ]'],
    ["the last one, with a comma", '[\n  "a", /* mine */\n  "o",\n]', 1, '[\n  "a" /* mine */,\n]'],
    ["one before a comment", '[\n  "o",\n  // mine\n  "a"\n]', 0, '[\n  // mine\n  "a"\n]'],
    ["one with a comment at its comma", '["o" /* mine, */, "a"]', 0, '[ /* mine, */"a"]'],
    ["one without comments", '["a", "o", "b"]', 1, '["a", "b"]'],
  ])("keeps comments beside %s", (_name, text, place, wanted) => {
    expect(without(text, place)).toBe(wanted);
  });
});

describe("JSON", () => {
  const lists = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

  it("is read up to a depth of 100, with any strings and comments", () => {
    expect(parseJson(lists(100))).toHaveProperty("value");
    expect(parseJson(lists(101))).toEqual({ fault: "it is nested deeper than 100" });
    expect(parseJson(`${'{"a":'.repeat(101)}1${"}".repeat(101)}`)).toEqual({
      fault: "it is nested deeper than 100",
    });
    const brackets = "[{".repeat(200);
    expect(
      parseJson(`[ "${brackets}\\"${brackets}", // ${brackets}\n /* ${brackets} */ [] ]`),
    ).toHaveProperty("value");
    expect(parseJson(`[${"[],".repeat(500)}[]]`)).toHaveProperty("value");
  });

  it.each(["[", '{"a":', "[},", '{"a":],', "[}"])("that continues with %s never exhausts the stack", text => {
    expect(parseJson(text.repeat(200_000))).toHaveProperty("fault");
  });

  it("limits the number of changes by its size", () => {
    const text = `[${"1,".repeat(1023 * 1024)}1]`;
    const edits = [1, 2, 3].map(place => ({ path: [place], value: undefined }));
    expect(editJson(text, edits.slice(0, 1))).toHaveProperty("text");
    expect(editJson(text, edits)).toEqual({
      fault: "it has 3 places to change, too many for a file of its size",
    });
  });

  it("removes an entry after a megabyte of blanks as quickly as any other", () => {
    const blanks = " ".repeat(1024 * 1024);
    expect(without(`["a",${blanks}/* mine */ "o"]`, 1)).toBe(`["a"${blanks}/* mine */]`);
  });
});

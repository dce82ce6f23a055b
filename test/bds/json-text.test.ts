import { describe, expect, it } from "@jest/globals";
import { isFault } from "../../bds/fault.ts";
import { editJson } from "../../bds/json-text.ts";

function without(text: string, place: number): string {
  const result = editJson(text, [{ path: [place], value: undefined }]);
  if (isFault(result)) throw new Error(result.fault);
  return result.text;
}

describe("taking an entry out of a list", () => {
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

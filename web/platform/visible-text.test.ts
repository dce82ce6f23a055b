import { expect, it } from "@jest/globals";
import { visibleText } from "./visible-text.ts";

it.each([
  ["Steve", "Steve"],
  ["ev\u202eil", "evil"],
  ["\u2066St\u200beve\u2069\u0000", "Steve"],
  ["نور 木", "نور 木"],
  ["\u3164\u200b ", "?"],
])("a name shows nothing that is invisible or turns other text around: %j", (name, visible) => {
  expect(visibleText(name)).toBe(visible);
});

import { expect, test } from "@jest/globals";
import { isTypable } from "./typable.ts";

test.each(["Steve", "Two Words", "Zoë", "玩家", "a@b", "-x", "$1;2"])("types the name %j", name => {
  expect(isTypable(name)).toBe(true);
});

test.each([
  "",
  'a"b',
  "a\\b",
  "a\nb",
  "a\rb",
  "a\u0000b",
  "a\u007fb",
  "a\u0085b",
  "a\u2028b",
  "@a",
  "@a[r=9]",
])("never types the name %j", name => {
  expect(isTypable(name)).toBe(false);
});

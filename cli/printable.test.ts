import { expect, it } from "@jest/globals";
import { printable, printableJson } from "./printable.ts";

const FOREIGN = "a\u001b]0;title\u0007\u009b31m\r\nb\u007f\u202ec\u2066\u2028";

it("escapes control characters for a terminal, and keeps letters of every language", () => {
  expect(printable(FOREIGN)).toBe(
    "a\\u001b]0;title\\u0007\\u009b31m\\u000d\\u000ab\\u007f\\u202ec\\u2066\\u2028",
  );
  expect(printable("Ülis schöne Welt 世界 😀")).toBe("Ülis schöne Welt 世界 😀");
});

it("cuts a line after 10,000 characters", () => {
  expect(printable("x".repeat(10_000))).toHaveLength(10_000);
  expect(printable("x".repeat(10_001))).toBe(`${"x".repeat(10_000)} ...`);
});

it("writes JSON that parses to the same value", () => {
  const value = { faults: [FOREIGN, "世界"] };
  expect(printableJson(value).replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  expect(JSON.parse(printableJson(value))).toEqual(value);
});

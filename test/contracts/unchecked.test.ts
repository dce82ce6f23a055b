import { expect, it } from "@jest/globals";
import { testFiles } from "../helpers/test-files.ts";

// Own connections: contains the text that it searches for.

const RAW = /\bfetch\(|\.newPage\(|from "node:(net|tls|https?|http2)"|from "ws"/;
const TYPES_ONLY = /^import type .*$/gm;
/** Why the connections that a file opens itself are checked, or need no check. */
const REASON = /^\/\/ Own connections: \S.*\.$/m;

it("no test calls the service without checks unless it has a reason", () => {
  const files = testFiles().map(({ name, text }) => ({ name, text: text.replace(TYPES_ONLY, "") }));
  const named = (what: RegExp): string[] =>
    files.flatMap(({ name, text }) => (what.test(text) ? [name] : []));
  expect(named(REASON).length).toBeGreaterThan(50);
  expect(named(RAW)).toEqual(named(REASON));
});

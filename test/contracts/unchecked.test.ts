import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";

// Own connections: names what it looks for.

const folder = new URL("../", import.meta.url);

const RAW = /\bfetch\(|\.newPage\(|from "node:(net|tls|https?|http2)"|from "ws"/;
const TYPES_ONLY = /^import type .*$/gm;
/** Why what comes over the connections that a file opens itself is checked, or need not be. */
const REASON = /^\/\/ Own connections: \S.*\.$/m;

it("no test asks the service around the checks without a reason", () => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter(name => name.endsWith(".ts"))
    .map(name => ({ name, text: readFileSync(new URL(name, folder), "utf8").replace(TYPES_ONLY, "") }));
  const named = (what: RegExp): string[] =>
    files.flatMap(({ name, text }) => (what.test(text) ? [name] : []));
  expect(named(REASON).length).toBeGreaterThan(50);
  expect(named(RAW)).toEqual(named(REASON));
});

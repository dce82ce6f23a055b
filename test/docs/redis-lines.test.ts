import { readdirSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { code, table, text } from "./pages.ts";

const files = readdirSync(new URL("../../sidecar/redis/", import.meta.url))
  .filter(name => name.endsWith(".ts"))
  .map(name => text(`sidecar/redis/${name}`));

/** Texts of the room that a pattern finds, `…` for what differs. */
const found = (pattern: RegExp): string[] =>
  files
    .flatMap(file => [...file.matchAll(pattern)])
    .map(([, line = ""]) => line.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}|\{code\}/g, "…"));

/** Everything that a sidecar says of Redis: lines of its log, what it ends with, and reasons in them. */
const lines = [
  ...found(/log\.(?:info|warn|error)\([^"`;]*["`]([^"`]+)["`],?\s*\)/g),
  ...found(/new RedisRefusal\(\s*"[\w-]+",\s*`((?:[^`$]|\$\{[^`]*?\})+)`/g),
  ...found(
    /(?:\breturn |: |\|\| |new Error\(|= )"((?:Redis |nobody|somebody|the connection|no answer)[^"]+)"/g,
  ),
  ...found(/return `(its name [^`]+)`/g),
  ...found(/^\s+"(storage\.[^"]+ \(\{code\}\): [^"]+)",$/gm),
];

it("the page has every line that the sidecar says of Redis, and no other", () => {
  const shown = table("docs/troubleshooting.md", "redis").flatMap(([line]) => code(line));
  expect(lines.length).toBeGreaterThan(25);
  expect([...new Set(shown)].sort()).toEqual([...new Set(lines)].sort());
});

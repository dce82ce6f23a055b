import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { ROOT } from "../../scripts/paths.mjs";

/** Folders whose comments, texts and documents are in plain English. */
const FOLDERS = [
  ...[
    "bds",
    "behavior_pack",
    "cli",
    "deploy",
    "docs",
    "lab",
    "owner",
    "scripts",
    "shared",
    "test",
    "web/docs",
  ],
  ...["config", "features/docs", "kernel", "migrations", "platform"].map(room => `sidecar/${room}`),
];

/** Words that plain sentences do not need; players are "they". */
const WORDS = [
  ...[/\bwhoever\b/i, /\banew\b/i, /\bin the place of\b/i, /\bas good as none\b/i, /\b(is|are) told of\b/i],
  ...[/\bcom(e|es|ing) along\b/i, /^(?!.*\bfor \().*\bof before\b/, /\bwhat of that\b/i],
  ...[/\bsen(d|ds|t) away\b/i, /\b(she|her|hers)\b/i, /^\s*(\/\*\*|\*) The same\b/],
];

const THIS = "test/docs/plain-words.test.ts";

it.each(FOLDERS)("%s has none of the words that plain sentences do not need", folder => {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map(name => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter(name => /\.(ts|tsx|mjs|md|html|txt)$/.test(name) && name !== THIS);
  expect(files.length).toBeGreaterThan(0);
  const found = files.flatMap(name =>
    readFileSync(join(ROOT, name), "utf8")
      .split("\n")
      .filter(line => WORDS.some(word => word.test(line)))
      .map(line => `${name}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { ROOT } from "../../scripts/paths.mjs";

/** Words that plain sentences do not need; players are "they". */
const WORDS = [
  ...[
    /\bwhoever\b/i,
    /\banew\b/i,
    /\bin the place of\b/i,
    /\bas good as none\b/i,
    /\b(is|are|was|were) told of\b/i,
  ],
  ...[/\bcom(e|es|ing) along\b/i, /^(?!.*\bfor \().*\bof before\b/, /\bwhat of that\b/i, /\bso called\b/i],
  ...[/\b(sen[dt]|sends|sending) (\w+ )?away\b/i, /\b(she|her|hers)\b/i],
  ...[
    /^\s*(\/\*\*|\*) The same\b/,
    /\b(MOST|LEAST|LONGEST)_[A-Z]/,
    /\bnobody is remembered\b/i,
    /\bis asked of\b/i,
  ],
];

const THIS = "test/docs/plain-words.test.ts";

/** Folders of the repository. Others are made by tools, or have no such files. */
const FOLDERS = readdirSync(ROOT, { withFileTypes: true })
  .filter(
    entry => entry.isDirectory() && !/^\.|^(coverage|data|dist|languages|node_modules)$/.test(entry.name),
  )
  .map(({ name }) => name);

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

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
  /\bcrowds?\b/i,
  ...[/\bcom(e|es|ing) along\b/i, /^(?!.*\bfor \().*\bof before\b/, /\bwhat of that\b/i, /\bso called\b/i],
  ...[/\b(sen[dt]|sends|sending) (\w+ )?away\b/i, /\b(she|her|hers)\b/i],
  ...[
    /^\s*(\/\*\*|\*) The same\b/,
    /\b(MOST|LEAST|LONGEST|PATIENCE)_[A-Z]/,
    /\bnobody is remembered\b/i,
    /\bis asked of\b/i,
  ],
  ...[/\b(sidecar|process|container|user|limit|form|proxy) of its own\b/i, /\b(goes on|in vain|for good)\b/i],
  ...[/\btea house\b/i, /\bhall of fame\b/i, /\bwhat becomes? of\b/i],
];

const THIS = "test/docs/plain-words.test.ts";

const FOLDERS = [
  ...["bds", "behavior_pack", "cli", "client", "deploy", "docs", "lab", "owner", "prove", "resource_pack"],
  ...["scripts", "shared", "sidecar", "test", "web"],
];
const PAGES = readdirSync(ROOT).filter(name => name.endsWith(".md"));

const filesBelow = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map(name => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter(name => /\.(ts|tsx|mjs|md|html|txt)$/.test(name) && name !== THIS);

it.each([...FOLDERS, ...PAGES])("%s has none of the words that plain sentences do not need", name => {
  const files = PAGES.includes(name) ? [name] : filesBelow(name);
  expect(files.length).toBeGreaterThan(0);
  const found = files.flatMap(file =>
    readFileSync(join(ROOT, file), "utf8")
      .split("\n")
      .filter(line => WORDS.some(word => word.test(line)))
      .map(line => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { type Bench, NO_TARGET } from "../../lab/bench/bench.ts";
import { performancePage } from "../../lab/bench/page/markdown.ts";
import { picture } from "../../lab/bench/page/picture.ts";
import { type Kept, type Run, readKept, withRows } from "../../lab/bench/page/record.ts";
import { WORDS } from "../../lab/bench/page/words.ts";
import type { Row } from "../../lab/bench/table.ts";

const of = (name: string): URL => new URL(`../../docs/performance.${name}`, import.meta.url);
const [MARKDOWN, JSON_FILE, SVG] = [of("md"), of("json"), of("svg")];
const template = readFileSync(MARKDOWN, "utf8");

const bench = (name: string): Bench => ({
  name,
  about: `about ${name}`,
  run: () => Promise.reject(new Error("is not run")),
});
const BENCHES = [bench("first"), bench("burst")];

const row = (name: string, ok = true): Row & { load: number } => ({
  name,
  figure: `1.23 of ${name}`,
  target: ok ? ">= 1" : ">= 2",
  reference: "a|b",
  ok,
  values: { ratio: 1.23456789 },
  seconds: 1,
  load: 2.345,
});

const RUN: Run = {
  date: "2026-01-31",
  commit: "abc1234",
  node: "20.1.0",
  processor: "a processor",
  cores: 2,
};
const NEXT: Run = { ...RUN, date: "2026-02-01", commit: "def5678+" };

const kept = (rows: readonly (Row & { load: number })[], run = RUN, before: Kept = []): Kept =>
  withRows(before, BENCHES, rows, run);

describe("the page of the figures", () => {
  it("is what the figures make, with its picture", () => {
    const figures = readKept(JSON_FILE);
    // npm run bench -- --page writes both anew.
    expect(template).toBe(performancePage(template, figures));
    expect(readFileSync(SVG, "utf8")).toBe(picture(figures));
  });

  it("says of each row what it means", () => {
    const rows = readKept(JSON_FILE).map(({ name }) => name);
    // In lab/bench/page/words.ts.
    expect(rows.filter(name => WORDS[name] === undefined)).toEqual([]);
  });

  it("shows each row with its target, what it was measured beside, and what it means", () => {
    const page = performancePage(template, kept([row("first"), row("burst")]));
    expect(page).toContain("| `first` | 1.23 of first | >= 1 | met | a\\|b |");
    expect(page).toContain("| `first` | about first |  |");
    expect(page).toContain(`| \`burst\` | about burst | ${WORDS.burst?.means} |`);
    expect(page).toContain("All 2 rows are within their targets.");
    expect(page).toContain("|  | 2026-01-31 | `abc1234` | 20.1.0 | 2 cores: a processor | 2.3 to 2.3 |");
  });

  it("shows a row that misses its target as missed, and names it ahead of all", () => {
    const page = performancePage(template, kept([row("first"), row("burst", false)]));
    expect(page).toContain("| `burst` | 1.23 of burst | >= 2 | **missed** |");
    expect(page).toContain("Of 2 rows, 1 misses its target:\n- `burst`\n");
  });

  it("shows rows that miss their targets ahead of the others of their table", () => {
    const page = performancePage(template, kept([row("first"), row("burst", false)]));
    expect(page.indexOf("| `burst` | 1.23")).toBeLessThan(page.indexOf("| `first` | 1.23"));
  });

  it("says of a row without a target that it is only measured", () => {
    const page = performancePage(template, kept([{ ...row("first"), target: NO_TARGET }]));
    expect(page).toContain("| `first` | 1.23 of first | none, only measured |  |");
  });

  it("cannot be made where a mark is missing", () => {
    expect(() => performancePage("# What it costs\n", kept([]))).toThrow(
      "docs/performance.md: there is no <!-- missed -->",
    );
  });
});

describe("a run of some rows", () => {
  const before = kept([row("first"), row("burst")]);
  const after = kept([row("burst", false)], NEXT, before);

  it("replaces those and keeps the others, each with its run", () => {
    expect(after.map(({ name, run: { commit } }) => [name, commit])).toEqual([
      ["first", "abc1234"],
      ["burst", "def5678+"],
    ]);
    const page = performancePage(template, after);
    expect(page).toContain("| `first` (A) | 1.23 of first |");
    expect(page).toContain("| `burst` (B) | 1.23 of burst |");
    expect(page).toContain("| B | 2026-02-01 | `def5678+` |");
  });

  it("drops rows of what is no benchmark any more", () => {
    expect(withRows(after, BENCHES.slice(0, 1), [], NEXT).map(({ name }) => name)).toEqual(["first"]);
  });

  it("keeps values to four digits", () => {
    expect(before[0]?.values).toEqual({ ratio: 1.235 });
  });
});

describe("the picture of the figures", () => {
  const measured = (name: string, values: Record<string, number>): Kept =>
    withRows([], [bench(name)], [{ ...row(name), values }], RUN);

  it("has a bar for each value that there is, ours first and the longest the widest", () => {
    const drawn = picture(measured("fan-out", { microseconds: 5, bareMicroseconds: 10 }));
    expect(drawn.match(/<rect class="own"[^>]*width="220"/g)).toHaveLength(1);
    expect(drawn.match(/<rect class="other"[^>]*width="440"/g)).toHaveLength(1);
    expect(drawn).toContain("this sidecar 5.0, bare ws 10.");
  });

  it("leaves out what has not been measured", () => {
    expect(picture([])).not.toContain('class="own"');
  });
});

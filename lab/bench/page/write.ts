import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Bench } from "../bench.ts";
import { thisMachine } from "../figures.ts";
import { PERFORMANCE_FIGURES, PERFORMANCE_PAGE, PERFORMANCE_PICTURE, ROOT } from "../places.ts";
import { performancePage } from "./markdown.ts";
import { picture } from "./picture.ts";
import { type Kept, type LoadedRow, type Run, readKept, withRows } from "./record.ts";

/** Writes page and picture from the figures that are there. */
export function writePage(kept: Kept = readKept(PERFORMANCE_FIGURES)): void {
  writeFileSync(PERFORMANCE_PAGE, performancePage(readFileSync(PERFORMANCE_PAGE, "utf8"), kept));
  writeFileSync(PERFORMANCE_PICTURE, picture(kept));
}

/** Puts the rows of a run in the place of older ones, in the file of the figures, on the page and in the picture. */
export function keepRows(benches: readonly Bench[], rows: readonly LoadedRow[], run: Run): void {
  const before = existsSync(PERFORMANCE_FIGURES) ? readKept(PERFORMANCE_FIGURES) : [];
  const kept = withRows(before, benches, rows, run);
  writeFileSync(PERFORMANCE_FIGURES, `${JSON.stringify(kept, undefined, 2)}\n`);
  writePage(kept);
}

/** What a run of this moment is measured on. */
export const runOf = (now: Date): Run => ({
  date: now.toISOString().slice(0, 10),
  commit: commit(),
  ...thisMachine(),
});

function commit(): string {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
  try {
    const changed = git("status", "--porcelain", "--", ".", ":!docs/performance.*");
    return `${git("rev-parse", "--short=7", "HEAD")}${changed === "" ? "" : "+"}`;
  } catch {
    // From an archive, or without git.
    return "";
  }
}

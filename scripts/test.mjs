import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check } from "./check.mjs";
import { lastLine, skipLines, skipsOf, total, unexplained } from "./setup/counts.mjs";
import { ROOT } from "./setup/paths.mjs";
import { runNode } from "./setup/run.mjs";

const args = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "test-counts-"));
const file = join(folder, "counts.json");

// Somebody who names files wants these only.
const failedChecks = args.length > 0 ? [] : await check();
const code = await runNode(
  [join(ROOT, "node_modules/vitest/vitest.mjs"), "run", ...args],
  { ...process.env, TZ: "UTC", TEST_COUNTS_FILE: file },
  ROOT,
);
const counted = readCounts();
rmSync(folder, { recursive: true, force: true });
const skips = skipsOf(counted);
// A filter skips whatever it does not name.
const silent = args.length > 0 ? [] : unexplained(skips);
const counts = total(counted, code, failedChecks.length + silent.length);

for (const line of skipLines(skips)) console.log(line);
for (const name of silent) console.log(`skipped without a reason: ${name}`);
for (const name of failedChecks) console.log(`failed: ${name}`);
console.log(lastLine(counts));
process.exitCode = counts.failed > 0 ? 1 : 0;

/** @returns {unknown} */
function readCounts() {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

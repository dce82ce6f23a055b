import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check } from "./check.mjs";
import { lastLine, skipLines, total, unexplained } from "./setup/counts.mjs";
import { ROOT } from "./setup/paths.mjs";
import { runNode } from "./setup/run.mjs";

const [first, ...rest] = process.argv.slice(2);
const isLong = first === "--long";
const args = isLong ? rest : process.argv.slice(2);
/** Those of `jest.config.mjs` that run. */
const projects = isLong
  ? ["long", "three sidecars, long", "three servers, long", "three servers and sidecars, long"]
  : ["tests", "three sidecars", "three servers"];
const folder = mkdtempSync(join(tmpdir(), "test-results-"));
const file = join(folder, "results.json");

// Somebody who names files wants these only. The tests wait more than they compute: there is time for the checks beside them.
const checking = isLong || args.length > 0 ? [] : check();
const code = await runNode(
  [
    // Modules of the language in Jest's sandbox; Node warns of them in every process.
    "--experimental-vm-modules",
    "--disable-warning=ExperimentalWarning",
    join(ROOT, "node_modules/jest/bin/jest.js"),
    "--json",
    `--outputFile=${file}`,
    ...args,
    "--selectProjects",
    ...projects,
  ],
  { ...process.env, TZ: "UTC" },
  ROOT,
);
const failedChecks = await checking;
const results = readResults();
rmSync(folder, { recursive: true, force: true });
// A filter skips whatever it does not name.
const silent = args.length > 0 ? [] : unexplained(results);
const counts = total(results, code, failedChecks.length + silent.length);

for (const line of skipLines(results)) console.log(line);
for (const name of silent) console.log(`skipped without a reason: ${name}`);
for (const name of failedChecks) console.log(`failed: ${name}`);
console.log(lastLine(counts));
process.exitCode = counts.failed > 0 ? 1 : 0;

/** @returns {import("./setup/counts.mjs").Results | undefined} */
function readResults() {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

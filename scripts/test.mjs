import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { check } from "./check.mjs";
import { lastLine, skipLines, total, unexplained } from "./counts.mjs";
import { ROOT } from "./paths.mjs";
import { runNode } from "./run.mjs";

/** Bytes that the temporary files of all tests at once stay far below. */
const LEAST_ROOM = 4 * 2 ** 30;

const [first, ...rest] = process.argv.slice(2);
const isLong = first === "--long";
const args = isLong ? rest : process.argv.slice(2);
const folder = inMemory() ?? mkdtempSync(join(tmpdir(), "tests-"));
// Tests as root have another user find something in there.
chmodSync(folder, 0o711);
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
    // Not in the folder that goes with this run.
    `--cacheDirectory=${join(tmpdir(), "jest-of-web-bridge")}`,
    // What runs long runs whole games, several sidecars and slow pages: beside too many others it would measure those.
    ...(isLong ? [`--maxWorkers=${availableParallelism() + 1}`] : []),
    ...args,
    "--selectProjects",
    isLong ? "long" : "tests",
  ],
  { ...process.env, TZ: "UTC", TMPDIR: folder },
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

/**
 * A folder in memory, where there is one with room for all that the tests write: to wait for a disk takes up to a third of their time.
 * @returns {string | undefined}
 */
function inMemory() {
  if (process.env.TMPDIR !== undefined) return undefined;
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    if (bavail * bsize < LEAST_ROOM) return undefined;
    const made = mkdtempSync("/dev/shm/tests-");
    // Users other than this one have folders in it. And programs are run there, which some machines forbid.
    chmodSync(made, 0o755);
    const program = join(made, "program");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    if (spawnSync(program).status === 0) return made;
    rmSync(made, { recursive: true });
  } catch {
    // This system has no such folder.
  }
  return undefined;
}

/** @returns {import("./counts.mjs").Results | undefined} */
function readResults() {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

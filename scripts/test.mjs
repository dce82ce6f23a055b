import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./paths.mjs";
import { npm, runNode } from "./run.mjs";
import { summary } from "./test-summary.mjs";

/** Space for the temporary files of all tests, in bytes. */
const MIN_FREE_BYTES = 4 * 2 ** 30;

const given = process.argv.slice(2);
const isLong = given[0] === "--long";
const args = isLong ? given.slice(1) : given;
const folder = inMemory() ?? mkdtempSync(join(tmpdir(), "tests-"));
// Tests as root let another user look for files there.
chmodSync(folder, 0o711);
const file = join(folder, "results.json");

// Without file names the checks run too: the tests wait more than they compute.
const checking = isLong || args.length > 0 ? 0 : npm(["run", "--silent", "check"], ROOT);
const code = await runNode(
  [
    // ES modules in Jest's sandbox; Node prints a warning about them in every process.
    "--experimental-vm-modules",
    "--disable-warning=ExperimentalWarning",
    join(ROOT, "node_modules/jest/bin/jest.js"),
    "--json",
    `--outputFile=${file}`,
    // Not in the folder that is removed with this run.
    `--cacheDirectory=${join(tmpdir(), "jest-of-web-bridge")}`,
    // Long tests run whole games, sidecars and pages: too many in parallel slow each other down.
    ...(isLong ? [`--maxWorkers=${availableParallelism() + 1}`] : []),
    ...args,
    "--selectProjects",
    isLong ? "long" : "tests",
  ],
  { env: { ...process.env, TZ: "UTC", TMPDIR: folder }, cwd: ROOT },
);
const isChecked = (await checking) === 0;
const results = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
rmSync(folder, { recursive: true, force: true });

if (!isChecked) console.log("failed: npm run check");
console.log(summary(results, code, isChecked ? 0 : 1));
process.exitCode = code === 0 && isChecked ? 0 : 1;

/**
 * A folder in memory, if there is enough space: waiting for a disk would take up to a third of the tests' time.
 * @returns {string | undefined}
 */
function inMemory() {
  if (process.env.TMPDIR !== undefined || !existsSync("/dev/shm")) return undefined;
  const { bavail, bsize } = statfsSync("/dev/shm");
  if (bavail * bsize < MIN_FREE_BYTES) return undefined;
  const made = mkdtempSync("/dev/shm/tests-");
  // Some machines do not allow to run programs there.
  writeFileSync(join(made, "program"), "#!/bin/sh\n", { mode: 0o755 });
  if (spawnSync(join(made, "program")).status === 0) return made;
  rmSync(made, { recursive: true });
  return undefined;
}

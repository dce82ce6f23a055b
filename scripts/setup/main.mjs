import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureDependencies } from "./dependencies.mjs";
import { cleanEnvironment } from "./environment.mjs";
import { ROOT } from "./paths.mjs";
import { runNode } from "./run.mjs";

/** @typedef {{ program?: string, args?: string[], build?: boolean, own?: boolean }} Task */

/**
 * What each task runs once its set-up is done. `args`: in front of the caller's. `build`: whether it needs the files in `dist`.
 * `own`: whether it works with the caller's settings, as the product itself does.
 * @type {Record<string, Task>}
 */
export const TASKS = {
  install: {},
  build: { program: "scripts/build.mjs" },
  check: { program: "scripts/check.mjs" },
  test: { program: "scripts/test.mjs", build: true },
  "test:long": { program: "scripts/test.mjs", args: ["--long"], build: true },
  start: { program: "dist/sidecar/main.js", build: true, own: true },
  setup: { program: "dist/tools/setup.js", build: true, own: true },
  doctor: { program: "dist/tools/doctor.js", build: true, own: true },
  key: { program: "dist/tools/key.js", build: true, own: true },
  config: { program: "dist/tools/config.js", build: true, own: true },
  audit: { program: "dist/tools/audit.js", build: true, own: true },
  players: { program: "dist/tools/players.js", build: true, own: true },
  hook: { program: "dist/tools/hook.js", build: true, own: true },
  prove: { program: "dist/tools/prove.js", build: true, own: true },
  "make-server": { program: "scripts/make-server.mjs" },
  demo: { program: "dist/tools/demo.js", build: true },
  bench: { program: "dist/tools/bench.js", build: true },
  plan: { program: "dist/tools/plan.js", build: true },
  chaos: { program: "dist/tools/chaos.js", build: true },
  fuzz: { program: "dist/tools/fuzz.js", build: true },
  proofs: { program: "dist/tools/proofs.js", build: true },
  reference: { program: "dist/tools/reference.js", build: true },
  package: { program: "scripts/package.mjs", build: true },
  release: { program: "scripts/release.mjs" },
  validate: { program: "scripts/validate.mjs", build: true },
};

/** @param {string} path */
const isThere = path => existsSync(join(ROOT, path));

/** Exit code when it never came to the task itself; no task uses it. */
const SETUP_FAILED = 70;

/**
 * Does all set-up that a task needs, then the task. Sets the exit code of this process.
 * @param {string[]} args name of the task, then its own arguments
 */
export async function main([name = "", ...args]) {
  const task = Object.hasOwn(TASKS, name) ? TASKS[name] : undefined;
  if (task === undefined) {
    console.error(`usage: node scripts/bootstrap.mjs <${Object.keys(TASKS).join("|")}> [arguments]`);
    process.exitCode = 2;
    return;
  }
  try {
    process.exitCode = await perform(task, args);
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    const isDamaged = code === "ERR_MODULE_NOT_FOUND" && /node_modules|Cannot find package/.test(message);
    console.error(isDamaged ? `${message}\nDelete the folder node_modules and run this again.` : error);
    process.exitCode = SETUP_FAILED;
  }
  if (process.exitCode === SETUP_FAILED && task.program === TASKS.test?.program)
    console.log("0 passed, 1 failed");
}

/**
 * @param {Task} task
 * @param {string[]} args
 * @returns {Promise<number>}
 */
async function perform({ program, args: first = [], build, own }, args) {
  // A deployment may come with `dist` and without the tools that make it.
  const isReady =
    own === true && isThere("dist") && isThere("node_modules") && !isThere("node_modules/esbuild");
  if (!(await ensureDependencies({ dev: !isReady }))) return SETUP_FAILED;
  if (build && !isReady) await (await import("../build.mjs")).build();
  if (program === undefined) return 0;
  return runNode([join(ROOT, program), ...first, ...args], own ? process.env : cleanEnvironment(process.env));
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./paths.mjs";
import { npmCi, runNode } from "./run.mjs";

/** @typedef {{ program?: string, args?: string[], build?: boolean, own?: boolean }} Task */

/** A program of the product, which works with the caller's settings. @param {string} program @returns {Task} */
const own = program => ({ program, build: true, own: true });

/** A program of developers. @param {string} name @returns {Task} */
const tool = name => ({ program: `dist/tools/${name}.js`, build: true });

/**
 * What each npm script runs. `args`: in front of the caller's. `build`: whether it needs the files in `dist`. `own`: whether it works
 * with the caller's variables `WEB_BRIDGE_…`.
 * @type {Record<string, Task>}
 */
export const TASKS = {
  install: {},
  build: { program: "scripts/build.mjs" },
  check: { program: "scripts/check.mjs" },
  test: { program: "scripts/test.mjs", build: true },
  "test:long": { program: "scripts/test.mjs", args: ["--long"], build: true },
  start: own("dist/sidecar/main.js"),
  setup: own("dist/tools/setup.js"),
  doctor: own("dist/tools/doctor.js"),
  key: own("dist/tools/key.js"),
  config: own("dist/tools/config.js"),
  audit: own("dist/tools/audit.js"),
  players: own("dist/tools/players.js"),
  hook: own("dist/tools/hook.js"),
  prove: own("dist/tools/prove.js"),
  "make-server": { program: "scripts/make-server.mjs" },
  demo: tool("demo"),
  bench: tool("bench"),
  chaos: tool("chaos"),
  package: { program: "scripts/package.mjs", build: true },
};

/** Exit code when it never came to the task itself; no task uses it. */
const NOT_READY = 70;

/**
 * Installs and builds what a task needs, then runs it. Sets the exit code of this process.
 * @param {string[]} args name of the task, then its own arguments
 */
export async function main([name = "", ...args]) {
  const task = Object.hasOwn(TASKS, name) ? TASKS[name] : undefined;
  if (task === undefined) {
    console.error(`usage: node scripts/bootstrap.mjs <${Object.keys(TASKS).join("|")}> [arguments]`);
    process.exitCode = 2;
    return;
  }
  process.exitCode = await perform(task, args);
  if (process.exitCode === NOT_READY && name.startsWith("test")) console.log("0 passed, 1 failed");
}

/**
 * @param {Task} task
 * @param {string[]} args
 * @returns {Promise<number>} exit code
 */
async function perform({ program, args: first = [], build, own }, args) {
  // A deployment may come with `dist` and without the tools that make it.
  const isBuilt = own && existsSync(join(ROOT, "dist")) && !existsSync(join(ROOT, "node_modules/esbuild"));
  if (!isBuilt && !install()) return NOT_READY;
  const env = own ? process.env : withoutSettings(process.env);
  if (build && !isBuilt && (await runNode([join(ROOT, "scripts/build.mjs"), "--quiet"], env)) !== 0)
    return NOT_READY;
  return program === undefined ? 0 : runNode([join(ROOT, program), ...first, ...args], env);
}

/** Installs the dependencies where they are not those of the lock file. @returns {boolean} false: that failed, and was said */
function install() {
  const why = whyInstall(packagesOf("package-lock.json"), packagesOf("node_modules/.package-lock.json"));
  if (why === undefined) return true;
  console.error(`installing dependencies (${why}) ...`);
  const fault = npmCi(ROOT);
  if (fault !== undefined) console.error(fault);
  return fault === undefined;
}

/** @typedef {Record<string, { version?: string, optional?: boolean, devOptional?: boolean, peer?: boolean }>} Packages */

/**
 * Why the dependencies have to be installed; undefined where they are as the lock file wants them.
 * @param {Packages | undefined} locked packages of package-lock.json
 * @param {Packages | undefined} installed those of the list that npm writes when it is done
 */
export function whyInstall(locked = {}, installed) {
  if (installed === undefined) return "they are missing";
  const [changed] =
    Object.entries(locked).find(([path, wanted]) => {
      const found = installed[path];
      const isOptional = wanted.optional || wanted.devOptional || wanted.peer;
      return path !== "" && found?.version !== wanted.version && !(found === undefined && isOptional);
    }) ?? [];
  return changed && `${changed.replace(/^.*node_modules\//, "")} has changed`;
}

/** @param {string} path of a lock file @returns {Packages | undefined} */
function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(join(ROOT, path), "utf8")).packages;
  } catch {
    return undefined;
  }
}

/**
 * Variables of the caller without those that would change what is built or tested.
 * @param {import("./run.mjs").Environment} env
 */
const withoutSettings = env =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(WEB_BRIDGE_|JEST_|NODE_(ENV|OPTIONS|PATH)$)/i.test(name)),
  );

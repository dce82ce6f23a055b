import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./paths.mjs";
import { npmCi, runNode } from "./run.mjs";

/** @typedef {{ program: string, args?: string[], build?: boolean, own?: boolean }} Task */

/** A program of the product, which uses the caller's settings. @param {string} program @returns {Task} */
const own = program => ({ program, build: true, own: true });

/** A program of developers. @param {string} name @returns {Task} */
const tool = name => ({ program: `dist/tools/${name}.js`, build: true });

/**
 * The program of each npm script. `args`: before the caller's. `build`: whether it needs the files in `dist`. `own`: whether it uses
 * the caller's variables `WEB_BRIDGE_…`.
 * @type {Record<string, Task>}
 */
export const TASKS = {
  build: { program: "scripts/build.mjs" },
  test: { program: "scripts/test.mjs", build: true },
  "test:long": { program: "scripts/test.mjs", args: ["--long"], build: true },
  start: own("dist/sidecar/main.js"),
  ...Object.fromEntries(
    ["setup", "doctor", "launch", "key", "config", "audit", "players", "hook", "prove"].map(name => [
      name,
      own(`dist/tools/${name}.js`),
    ]),
  ),
  "make-server": { program: "scripts/make-server.mjs" },
  demo: tool("demo"),
  bench: tool("bench"),
  chaos: tool("chaos"),
  package: { program: "scripts/package.mjs", build: true },
};

/**
 * Installs and builds what a task needs, then runs it.
 * @param {string[]} args name of the task, then its own arguments; `install` alone installs
 */
export async function main([name = "", ...args]) {
  const task = Object.hasOwn(TASKS, name) ? TASKS[name] : undefined;
  if (task === undefined && name !== "install") {
    console.error(`usage: node scripts/bootstrap.mjs <${Object.keys(TASKS).join("|")}> [arguments]`);
    process.exitCode = 2;
    return;
  }
  // Removes variables that would change the build or the tests.
  if (!task?.own)
    for (const each of Object.keys(process.env))
      if (/^(WEB_BRIDGE_|JEST_|NODE_(ENV|OPTIONS|PATH)$)/i.test(each)) delete process.env[each];
  if (!(await makeReady(task))) {
    if (name.startsWith("test")) console.log("0 passed, 1 failed");
    process.exitCode = 1;
  } else if (task !== undefined) {
    const program = join(ROOT, task.program);
    process.argv.splice(1, process.argv.length, program, ...(task.args ?? []), ...args);
    await import(pathToFileURL(program).href);
  }
}

/** @param {Task | undefined} task @returns {Promise<boolean>} false: it failed and printed why */
async function makeReady(task) {
  // A deployment may have `dist` without the build tools.
  if (task?.own && existsSync(join(ROOT, "dist")) && !existsSync(join(ROOT, "node_modules/esbuild")))
    return true;
  if (!isInstalled(packagesOf("package-lock.json"), packagesOf("node_modules/.package-lock.json"))) {
    console.error("Installing dependencies ...");
    if ((await npmCi(ROOT)) !== 0) {
      console.error(
        "The dependencies could not be installed. Is this machine online? Run npm ci to see why.",
      );
      return false;
    }
  }
  return !task?.build || (await runNode([join(ROOT, "scripts/build.mjs"), "--quiet"])) === 0;
}

/** @typedef {Record<string, { version?: string, optional?: boolean, devOptional?: boolean, peer?: boolean }>} Packages */

/**
 * Whether the dependencies are those of the lock file.
 * @param {Packages} [locked] packages of package-lock.json
 * @param {Packages} [installed] those of the list that npm writes at the end of an installation
 * @param {(path: string) => boolean} [isThere] whether a folder, by its path from the root, has not been deleted since
 */
export const isInstalled = (locked = {}, installed, isThere = path => existsSync(join(ROOT, path))) =>
  installed !== undefined &&
  Object.entries(locked).every(([path, { version, optional, devOptional, peer }]) => {
    const found = installed[path];
    if (path === "") return true;
    return found === undefined ? optional || devOptional || peer : found.version === version && isThere(path);
  });

/** @param {string} path of a lock file @returns {Packages | undefined} */
function packagesOf(path) {
  const file = join(ROOT, path);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).packages : undefined;
}

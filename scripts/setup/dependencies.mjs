import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cleanEnvironment } from "./environment.mjs";
import { ROOT } from "./paths.mjs";
import { runHidden } from "./run.mjs";

/**
 * @typedef {{ version?: string, optional?: boolean, dev?: boolean, devOptional?: boolean, peer?: boolean, link?: boolean }} Package
 * @typedef {Record<string, Package>} Packages
 */

const PLATFORM_FILE = join(ROOT, "node_modules", ".platform");
const platform = `${process.platform}-${process.arch}`;

/**
 * Says why the dependencies have to be installed, or nothing when they are as the lock file wants them.
 * @param {object} state
 * @param {Packages} state.locked packages of package-lock.json
 * @param {Packages | undefined} state.installed packages of node_modules/.package-lock.json, which npm writes last
 * @param {string | undefined} state.installedFor platform that an earlier installation was for
 * @param {string} state.platform platform of this machine
 * @param {boolean} state.dev whether the tools for developers are needed too
 * @param {(path: string) => boolean} state.isThere whether a package is there, by its path from the root
 * @returns {string | undefined}
 */
export function whyInstall({ locked, installed, installedFor, platform, dev, isThere }) {
  if (installed === undefined) return "they are missing";
  if (installedFor !== undefined && installedFor !== platform) return `they are for ${installedFor}`;
  for (const [path, wanted] of Object.entries(locked)) {
    if (path === "" || wanted.link || (!dev && (wanted.dev || wanted.devOptional))) continue;
    const found = installed[path];
    if (found === undefined && (wanted.optional || wanted.devOptional || wanted.peer)) continue;
    const name = path.replace(/^.*node_modules\//, "");
    if (found?.version !== wanted.version) return `${name} has changed`;
    if (!isThere(path)) return `${name} is missing`;
  }
  return undefined;
}

/**
 * Where npm's own program lies, so that no shell and no `npm.cmd` is needed to run it.
 * @param {string} node path of the running Node
 * @param {string | undefined} execPath what npm says of itself in `npm_execpath`
 * @param {(path: string) => boolean} exists
 * @returns {string | undefined}
 */
export function findNpm(node, execPath, exists) {
  const folder = dirname(node);
  return [
    ...(execPath !== undefined && /[\\/]npm-cli\.js$/.test(execPath) ? [execPath] : []),
    join(folder, "node_modules", "npm", "bin", "npm-cli.js"),
    join(folder, "..", "lib", "node_modules", "npm", "bin", "npm-cli.js"),
    join(folder, "..", "share", "nodejs", "npm", "bin", "npm-cli.js"),
    "/usr/share/nodejs/npm/bin/npm-cli.js",
  ].find(exists);
}

/**
 * Installs what is missing. Silent when nothing is.
 * @param {{ dev: boolean }} options
 * @returns {Promise<boolean>} false: it failed, and the output has been shown
 */
export async function ensureDependencies({ dev }) {
  const locked = readPackages(join(ROOT, "package-lock.json"));
  if (locked === undefined) {
    console.error("package-lock.json is missing or damaged: this is not a complete copy of the repository");
    return false;
  }
  const why = whyInstall({
    locked,
    installed: readPackages(join(ROOT, "node_modules", ".package-lock.json")),
    installedFor: readText(PLATFORM_FILE),
    platform,
    dev,
    isThere: path => existsSync(join(ROOT, path, "package.json")),
  });
  if (why === undefined) return true;
  const ok = await runHidden(`installing dependencies (${why})`, ...npmCi("--include=dev"));
  if (ok) writeFileSync(PLATFORM_FILE, platform);
  return ok;
}

/** npm's own program on this machine. */
export const ownNpm = () => findNpm(process.execPath, process.env.npm_execpath, existsSync);

/**
 * How to install what a lock file wants, without running anything that comes with it.
 * @param {...string} more
 * @returns {[string, string[], Record<string, string | undefined>]} program, arguments and environment
 */
export function npmCi(...more) {
  const args = ["ci", "--include=optional", "--ignore-scripts", "--no-audit", "--no-fund", ...more];
  const env = cleanEnvironment(process.env);
  const npm = ownNpm();
  if (npm !== undefined) return [process.execPath, [npm, ...args], env];
  // A shim of another tool: on Windows only the command interpreter can start it. Nothing here needs quoting.
  if (process.platform === "win32") return ["cmd.exe", ["/d", "/s", "/c", `npm ${args.join(" ")}`], env];
  return ["npm", args, env];
}

/**
 * @param {string} path
 * @returns {Packages | undefined}
 */
function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return undefined;
  }
}

/** @param {string} path */
function readText(path) {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}

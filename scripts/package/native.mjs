import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NATIVE } from "../bundle.mjs";
import { filesBelow } from "../files.mjs";
import { npmCi } from "../setup/dependencies.mjs";
import { ROOT } from "../setup/paths.mjs";
import { runHidden } from "../setup/run.mjs";
import { PLATFORMS } from "./platforms.mjs";

/** @typedef {{ version: string, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} Locked */

/**
 * The packages that libsql needs to run on a platform, by their path in package-lock.json.
 * @param {string} platform
 * @param {Record<string, Locked>} locked
 * @returns {Record<string, Locked>}
 * @throws when the lock file lacks one
 */
export function neededBy(platform, locked) {
  const names = [NATIVE, ...(PLATFORMS[platform]?.native ?? [])];
  /** @type {Record<string, Locked>} */
  const needed = {};
  for (const name of names) {
    const entry = locked[`node_modules/${name}`];
    if (entry === undefined) throw new Error(`package-lock.json has no ${name}`);
    needed[`node_modules/${name}`] = entry;
    names.push(...Object.keys(entry.dependencies ?? {}).filter(other => !names.includes(other)));
  }
  return needed;
}

/**
 * Files of libsql for a platform, in the exact versions of package-lock.json: from this installation when it has
 * them, else from the registry.
 * @param {string} platform
 * @returns {Promise<import("../files.mjs").Entry[]>}
 * @throws when they cannot be fetched; the output of npm has been shown
 */
export async function nativeFiles(platform) {
  const needed = neededBy(
    platform,
    JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")).packages,
  );
  if (isInstalled(ROOT, needed)) return filesOf(ROOT, needed);
  const folder = mkdtempSync(join(tmpdir(), "web-bridge-package-"));
  try {
    writeProject(folder, needed);
    if (!(await install(folder, platform)) || !isInstalled(folder, needed))
      throw new Error(`cannot fetch ${NATIVE} for ${platform}: check the connection to the npm registry`);
    return filesOf(folder, needed);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} root
 * @param {Record<string, Locked>} needed
 */
function isInstalled(root, needed) {
  return Object.entries(needed).every(([path, { version }]) => {
    const manifest = join(root, path, "package.json");
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version === version;
  });
}

/**
 * @param {string} root
 * @param {Record<string, Locked>} needed
 */
function filesOf(root, needed) {
  return Object.keys(needed).flatMap(path =>
    filesBelow(join(root, path), `${path}/`, file => !/^(node_modules|types)\/|\.(d\.ts|map)$/.test(file)),
  );
}

/**
 * A project whose lock file has these packages and no others, so that npm checks what it fetches.
 * @param {string} folder
 * @param {Record<string, Locked>} needed
 */
function writeProject(folder, needed) {
  const dependencies = { [NATIVE]: needed[`node_modules/${NATIVE}`]?.version };
  const project = { name: "native", version: "0.0.0", private: true, dependencies };
  const kept = Object.fromEntries(
    Object.entries(needed).map(([path, { optionalDependencies, ...entry }]) => [
      path,
      optionalDependencies === undefined
        ? entry
        : {
            ...entry,
            optionalDependencies: Object.fromEntries(
              Object.entries(optionalDependencies).filter(([name]) => `node_modules/${name}` in needed),
            ),
          },
    ]),
  );
  const lock = { ...project, lockfileVersion: 3, requires: true, packages: { "": project, ...kept } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(project));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
}

/**
 * @param {string} folder
 * @param {string} platform
 * @returns {Promise<boolean>}
 */
function install(folder, platform) {
  const { os = "", cpu = "" } = PLATFORMS[platform] ?? {};
  return runHidden(
    `fetching ${NATIVE} for ${platform}`,
    ...npmCi("--prefix", folder, `--os=${os}`, `--cpu=${cpu}`),
  );
}

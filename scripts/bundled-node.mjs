import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textFile } from "./files.mjs";
import { ROOT } from "./paths.mjs";
import { npmCi } from "./run.mjs";

/** @typedef {import("./files.mjs").Entry} Entry */
/** @typedef {{ version: string, files: Entry[], notice: string }} BundledNode `notice`: for the file of licences */

/** Systems and processors that have an archive with Node. */
export const PLATFORMS = ["linux-x64", "linux-arm64", "win32-x64"];

const SOURCE = join(ROOT, "scripts/node");

/**
 * The package of Node for a platform, as the lock file has it.
 * @param {string} platform
 * @returns {{ path: string, version: string, program: string }} `program`: its path in the package
 * @throws if there is none
 */
export function lockedNode(platform) {
  const { packages } = JSON.parse(readFileSync(join(SOURCE, "package-lock.json"), "utf8"));
  const path = Object.keys(packages).find(key => `${packages[key].os}-${packages[key].cpu}` === platform);
  if (path === undefined) throw new Error(`scripts/node/package-lock.json has no Node for ${platform}`);
  return { path, version: packages[path].version, program: packages[path].bin.node };
}

/**
 * Downloads Node for a platform.
 * @param {string} platform one of PLATFORMS
 * @returns {Promise<BundledNode>}
 * @throws if it cannot be downloaded
 */
export async function bundledNode(platform) {
  const { path, version, program } = lockedNode(platform);
  const isWindows = platform.startsWith("win32");
  const to = isWindows ? "node/node.exe" : "node/bin/node";
  const content = await downloaded(platform, program);
  // The package for Windows has no licence text. Those for Linux have the one for all systems.
  const licence = await downloaded(isWindows ? "linux-x64" : platform, "LICENSE");
  const digest = createHash("sha256").update(content).digest("hex");
  const notice = `${to} is Node.js ${version}, from ${path.replace("node_modules/", "the npm package ")}.
Its licences are in node/LICENSE. Its SHA-256 is ${digest}.
`;
  const files = [{ path: to, content, executable: !isWindows }, textFile("node/LICENSE", `${licence}`)];
  return { version, files, notice };
}

/**
 * A file of the package of Node for a platform. npm checks the digest of the package, and downloads it once.
 * @param {string} platform @param {string} file path in the package
 */
async function downloaded(platform, file) {
  const [os, cpu] = platform.split("-");
  const folder = mkdtempSync(join(tmpdir(), "bundled-node-"));
  try {
    cpSync(SOURCE, folder, { recursive: true });
    if ((await npmCi(folder, [`--os=${os}`, `--cpu=${cpu}`])) !== 0)
      throw new Error(
        `Node for ${platform} could not be downloaded. Without it: npm run package -- --only any`,
      );
    return readFileSync(join(folder, lockedNode(platform).path, file));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

import { readFileSync } from "node:fs";

// Also parsed by very old versions of Node: only syntax that they have.

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** The oldest supported Node, as in `engines` of package.json: "22.18". */
export const LEAST = String(engines.node).replace(/^>=(\d+\.\d+).*$/, "$1");

/**
 * Whether a Node version is older than that.
 * @param {string} version three numbers with dots
 */
export function isTooOld(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = LEAST.split(".").map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

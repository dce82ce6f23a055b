import { readFileSync } from "node:fs";

// Read by versions of Node that are too old for all else: no syntax that they lack.

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** The oldest Node that the product runs on, as `engines` of package.json has it: "22.18". */
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

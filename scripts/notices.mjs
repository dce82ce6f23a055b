import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const RULE = "=".repeat(80);
const TEXTS = /^(licen[cs]e|copying|notice|copyright)([.-].*)?$/i;

/**
 * The file with the licences of all packages in an archive.
 * @param {string[]} packages their folders
 * @throws if a package has no licence
 */
export const noticesOf = packages =>
  [
    "Web Bridge includes the following third-party software, each under its own licence.\n",
    ...packages.map(noticeOf),
  ].join("\n");

/** @param {string} folder */
function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (typeof license !== "string") throw new Error(`${name} names no licence`);
  const texts = readdirSync(folder)
    .filter(file => TEXTS.test(file))
    .sort()
    .map(file => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim());
  if (texts.length === 0) texts.push("The package includes no licence text.");
  return [RULE, `${name} ${version}`, `Licence: ${license}`, RULE, "", ...texts, ""].join("\n");
}

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const RULE = "=".repeat(80);
const TEXTS = /^(licen[cs]e|copying|notice|copyright)([.-].*)?$/i;

/** @typedef {{ name: string, version: string, license: string, texts: string[] }} Notice */

/**
 * The file that names the makers of everything in an archive that is not ours.
 * @param {Notice[]} notices
 * @returns {string}
 */
export function noticesFile(notices) {
  const sorted = [...notices].sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
  const parts = sorted.map(({ name, version, license, texts }) =>
    [
      RULE,
      `${name} ${version}`,
      `Licence: ${license}`,
      RULE,
      "",
      ...(texts.length > 0 ? texts : ["The package comes with no text of its licence."]),
      "",
    ].join("\n"),
  );
  const intro = "Web Bridge contains the following software of others, each under its own licence.\n";
  return `${intro}\n${parts.join("\n")}`;
}

/**
 * What a package says of its licence.
 * @param {string} folder
 * @returns {Notice}
 * @throws when it names none
 */
export function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (typeof license !== "string") throw new Error(`${name} names no licence`);
  const texts = readdirSync(folder)
    .filter(file => TEXTS.test(file) && existsSync(join(folder, file)))
    .sort()
    .map(file => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim());
  return { name, version, license, texts };
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./paths.mjs";

/** @typedef {{ pack: Record<string, string> }} Language sections of texts by key */

/**
 * Every language, by the game's name for it.
 * @returns {Record<string, Language>}
 */
export function readLanguages() {
  const files = readdirSync(join(ROOT, "languages")).sort();
  return Object.fromEntries(
    files.map(file => [
      file.replace(/\.json$/, ""),
      JSON.parse(readFileSync(join(ROOT, "languages", file), "utf8")),
    ]),
  );
}

/**
 * The files in the folder `texts` of the resource pack, by name: the pack's own name and description, which the game
 * shows in the player's language.
 * @param {Record<string, Language>} languages
 * @returns {Record<string, string>}
 */
export function langFiles(languages) {
  const files = Object.entries(languages).map(([locale, { pack }]) => [
    `${locale}.lang`,
    Object.entries(pack)
      .map(([key, text]) => `pack.${key}=${text}\n`)
      .join(""),
  ]);
  return {
    "languages.json": `${JSON.stringify(Object.keys(languages), undefined, 2)}\n`,
    ...Object.fromEntries(files),
  };
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../bundle.mjs";
import { filesBelow, textFile } from "../files.mjs";
import { ROOT } from "../paths.mjs";

/** @typedef {import("../files.mjs").Entry} Entry */

/** Largest script of the pack, in bytes: a guard against bundling a package by mistake. */
export const PACK_BYTES = 160 * 1024;

/** @param {string} path */
const readJson = path => JSON.parse(readFileSync(join(ROOT, path), "utf8"));
/** @param {string} path @param {unknown} value */
const jsonFile = (path, value) => textFile(path, `${JSON.stringify(value, undefined, 2)}\n`);
/** @param {string} path */
const isAsItIs = path => /^(pack_icon\.png$|ui\/)/.test(path);

/**
 * The files of both packs, and the source map of the script for developers.
 * @returns {Promise<Entry[]>}
 */
export async function packFiles() {
  const { code, map } = await bundle("behavior_pack/main.ts", "game");
  const stable = await bundle("behavior_pack/main-stable.ts", "game");
  const script = textFile("behavior_pack/scripts/main.js", code);
  if (script.content.length > PACK_BYTES)
    throw new Error(`the pack's script has ${script.content.length} bytes: expected at most ${PACK_BYTES}`);
  return [
    script,
    textFile("behavior_pack.js.map", map),
    textFile("behavior_pack_stable/scripts/main.js", stable.code),
    textFile("behavior_pack_stable.js.map", stable.map),
    jsonFile("behavior_pack/manifest.json", readJson("manifest.json")),
    ...filesBelow(join(ROOT, "behavior_pack"), "behavior_pack/", isAsItIs),
    jsonFile("resource_pack/manifest.json", readJson("resource_pack/manifest.json")),
    ...filesBelow(join(ROOT, "resource_pack"), "resource_pack/", isAsItIs),
    ...languageFiles("resource_pack/texts/"),
  ];
}

/**
 * Scripts that `npm run prove` uses instead of the pack's: with probes, with and without simulated players.
 * @returns {Promise<Entry[]>}
 */
export const proveScripts = () =>
  Promise.all(
    ["main", "without-gametest"].map(async name =>
      textFile(`prove_pack/${name}.js`, (await bundle(`prove/script/${name}.ts`, "game")).code),
    ),
  );

/**
 * The resource pack's name and description, which the game shows in the player's language.
 * @param {string} place
 * @returns {Entry[]}
 */
function languageFiles(place) {
  const names = readdirSync(join(ROOT, "languages"))
    .map(file => file.replace(/\.json$/, ""))
    .sort();
  const texts = names.map(name => {
    const lines = Object.entries(readJson(`languages/${name}.json`).pack);
    return textFile(`${place}${name}.lang`, lines.map(([key, text]) => `pack.${key}=${text}\n`).join(""));
  });
  return [jsonFile(`${place}languages.json`, names), ...texts];
}

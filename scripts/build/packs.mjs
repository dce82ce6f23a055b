import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../bundle.mjs";
import { filesBelow, textFile } from "../files.mjs";
import { stampManifest } from "../setup/manifest.mjs";
import { ROOT } from "../setup/paths.mjs";

/** @typedef {import("../files.mjs").Entry} Entry */

/** Largest script of the pack, in bytes: the engine reads it while the world loads. */
export const PACK_BYTES = 96 * 1024;

/** @param {string} path */
const readJson = path => JSON.parse(readFileSync(join(ROOT, path), "utf8"));
/** @param {string} path @param {unknown} value */
const jsonFile = (path, value) => textFile(path, `${JSON.stringify(value, undefined, 2)}\n`);
/** @param {string} path */
const isAsItIs = path => /^(pack_icon\.png$|ui\/)/.test(path);

/**
 * The files of both packs.
 * @returns {Promise<Entry[]>}
 */
export async function packFiles() {
  const script = textFile(
    "behavior_pack/scripts/main.js",
    (await bundle("behavior_pack/main.ts", "game")).code,
  );
  if (script.content.length > PACK_BYTES)
    throw new Error(
      `the pack's script has ${script.content.length} bytes, more than the ${PACK_BYTES} allowed`,
    );
  const { version } = readJson("package.json");
  return [
    script,
    jsonFile("behavior_pack/manifest.json", stampManifest(readJson("manifest.json"), version)),
    ...filesBelow(join(ROOT, "behavior_pack"), "behavior_pack/", isAsItIs),
    jsonFile("resource_pack/manifest.json", stampManifest(readJson("resource_pack/manifest.json"), version)),
    ...filesBelow(join(ROOT, "resource_pack"), "resource_pack/", isAsItIs),
    ...languageFiles("resource_pack/texts/"),
  ];
}

/**
 * The resource pack's own name and description, which the game shows in the player's language.
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

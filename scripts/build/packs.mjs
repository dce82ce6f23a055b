import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../bundle.mjs";
import { filesBelow, textFile } from "../files.mjs";
import { ROOT } from "../paths.mjs";

/** @typedef {import("../files.mjs").Entry} Entry */

/** Largest script of a pack, in bytes: a guard against bundling a package by mistake. */
export const PACK_BYTES = 160 * 1024;

/**
 * Versions of the script modules in the pack that keeps achievements: the stable ones of the oldest supported game. With any other
 * module, or a beta, the game wants an experiment.
 */
const STABLE_MODULES = { "@minecraft/server": "2.9.0", "@minecraft/server-ui": "2.1.0" };

/** @param {string} path */
const readJson = path => JSON.parse(readFileSync(join(ROOT, path), "utf8"));
/** @param {string} path @param {unknown} value */
const jsonFile = (path, value) => textFile(path, `${JSON.stringify(value, undefined, 2)}\n`);
/** @param {string} path */
const isAsItIs = path => /^(pack_icon\.png$|ui\/)/.test(path);

/**
 * The files of all packs, and the source maps of their scripts for developers. Both behavior packs have the same identity, so that
 * one replaces the other.
 * @returns {Promise<Entry[]>}
 */
export async function packFiles() {
  const manifest = readJson("manifest.json");
  const dependencies = Object.entries(STABLE_MODULES).map(([module_name, version]) => ({
    module_name,
    version,
  }));
  return [
    ...(await behaviorPack("behavior_pack", "main.ts", manifest)),
    ...(await behaviorPack("behavior_pack_stable", "main-stable.ts", { ...manifest, dependencies })),
    jsonFile("resource_pack/manifest.json", readJson("resource_pack/manifest.json")),
    ...filesBelow(join(ROOT, "resource_pack"), "resource_pack/", isAsItIs),
    ...languageFiles("resource_pack/texts/"),
  ];
}

/**
 * @param {string} folder in `dist`
 * @param {string} entry of the script, in `behavior_pack`
 * @param {unknown} manifest
 */
async function behaviorPack(folder, entry, manifest) {
  const { code, map } = await bundle(`behavior_pack/${entry}`, "game");
  const script = textFile(`${folder}/scripts/main.js`, code);
  if (script.content.length > PACK_BYTES)
    throw new Error(
      `${folder}: the script has ${script.content.length} bytes: expected at most ${PACK_BYTES}`,
    );
  return [
    script,
    textFile(`${folder}.js.map`, map),
    jsonFile(`${folder}/manifest.json`, manifest),
    ...filesBelow(join(ROOT, "behavior_pack"), `${folder}/`, isAsItIs),
  ];
}

/**
 * Scripts that `npm run prove` uses instead of the packs': with probes, with and without simulated players, and one for the pack that
 * keeps achievements.
 * @returns {Promise<Entry[]>}
 */
export const proveScripts = () =>
  Promise.all(
    ["main", "without-gametest", "console"].map(async name =>
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

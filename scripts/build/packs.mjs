import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../bundle.mjs";
import { filesBelow, textFile } from "../files.mjs";
import { ROOT } from "../paths.mjs";

/** @typedef {import("../files.mjs").Entry} Entry */

/** Largest script of the pack, in bytes: a guard against a package that nobody meant to put into the game. */
export const PACK_BYTES = 160 * 1024;

/** @param {string} path */
const readJson = path => JSON.parse(readFileSync(join(ROOT, path), "utf8"));
/** @param {string} path @param {unknown} value */
const jsonFile = (path, value) => textFile(path, `${JSON.stringify(value, undefined, 2)}\n`);
/** @param {string} path */
const isAsItIs = path => /^(pack_icon\.png$|ui\/)/.test(path);

/**
 * The files of both packs, and the map of the script to its sources, which is for developers.
 * @returns {Promise<Entry[]>}
 */
export async function packFiles() {
  const { code, map } = await bundle("behavior_pack/main.ts", "game");
  const script = textFile("behavior_pack/scripts/main.js", code);
  if (script.content.length > PACK_BYTES)
    throw new Error(`the pack's script has ${script.content.length} bytes: expected at most ${PACK_BYTES}`);
  return [
    script,
    textFile("behavior_pack.js.map", map),
    jsonFile("behavior_pack/manifest.json", readJson("manifest.json")),
    ...filesBelow(join(ROOT, "behavior_pack"), "behavior_pack/", isAsItIs),
    jsonFile("resource_pack/manifest.json", readJson("resource_pack/manifest.json")),
    ...filesBelow(join(ROOT, "resource_pack"), "resource_pack/", isAsItIs),
    ...languageFiles("resource_pack/texts/"),
  ];
}

/** Uuids of the pack with the probes: of its header, and of its script. */
const PROVE_UUIDS = ["7d0b6c52-83f4-4a64-9a2e-5f5a0f3f9c11", "c1f2f0f7-2f0e-4f0d-8d55-6a4f2f8f7a35"];
/** What gives it players of its own. */
const GAMETEST = "@minecraft/server-gametest";

/**
 * What `npm run prove` puts into a game server: the script of the pack with probes beside it, as a pack of its own. It has a
 * manifest for each way in which a game may take its modules, to be tried in this order: `manifest.json`, with the numbers that
 * some modules have had since they exist; `manifest-beta.json`; `manifest-alone.json`, without players of its own.
 * @returns {Promise<Entry[]>}
 */
export async function provePackFiles() {
  const scripts = ["main", "alone"].map(async name => {
    const { code } = await bundle(`owner/prove/script/${name}.ts`, "game");
    return textFile(`prove_pack/scripts/${name}.js`, code);
  });
  const pack = readJson("manifest.json");
  const manifest = (/** @type {boolean} */ isNumbered, /** @type {boolean} */ hasPlayers) =>
    proveManifest(pack, isNumbered, hasPlayers);
  return [
    ...(await Promise.all(scripts)),
    jsonFile("prove_pack/manifest.json", manifest(true, true)),
    jsonFile("prove_pack/manifest-beta.json", manifest(false, true)),
    jsonFile("prove_pack/manifest-alone.json", manifest(false, false)),
    ...filesBelow(join(ROOT, "behavior_pack"), "prove_pack/", path => path === "pack_icon.png"),
  ];
}

/**
 * @param {any} pack manifest of the behavior pack
 * @param {boolean} isNumbered
 * @param {boolean} hasPlayers
 */
function proveManifest(pack, isNumbered, hasPlayers) {
  const [header, script] = PROVE_UUIDS;
  const more = hasPlayers ? [{ module_name: GAMETEST, version: "beta" }] : [];
  const entry = `scripts/${hasPlayers ? "main" : "alone"}.js`;
  return {
    ...pack,
    header: {
      ...pack.header,
      name: "Web Bridge trial",
      description: "Asks what only a game can answer",
      uuid: header,
    },
    modules: pack.modules.map((/** @type {object} */ module) => ({ ...module, uuid: script, entry })),
    dependencies: [...pack.dependencies, ...more].map(({ module_name, version }) => ({
      module_name,
      // These two have the numbers of the game's release.
      version: isNumbered && !/server(-ui)?$/.test(module_name) ? "1.0.0-beta" : version,
    })),
  };
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

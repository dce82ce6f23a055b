import { join } from "node:path";
import { filesBelow } from "../files.mjs";
import { ROOT } from "../setup/paths.mjs";

/** @typedef {import("../files.mjs").Entry} Entry */

/** Packs of the game, by their folder in `dist`. */
const PACKS = ["behavior_pack", "resource_pack"];

/** @param {string} name @param {string} place */
const filesOf = (name, place) => filesBelow(join(ROOT, "dist", name), place);

/**
 * All packs, each in a folder of its own, as an add-on has them.
 * @returns {Entry[]}
 */
export const packFolders = () => PACKS.flatMap(name => filesOf(name, `web_bridge_${name}/`));

/**
 * Each pack by itself.
 * @returns {{ name: string, files: Entry[] }[]}
 */
export const packFiles = () => PACKS.map(name => ({ name, files: filesOf(name, "") }));

/**
 * All packs as they lie in `dist`, where the tools look for them.
 * @param {string} place
 * @returns {Entry[]}
 */
export const packsForTools = place => PACKS.flatMap(name => filesOf(name, `${place}dist/${name}/`));

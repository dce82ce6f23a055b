import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import { ROOT } from "./setup/paths.mjs";

/** @typedef {{ path: string, content: Uint8Array, executable?: boolean }} Entry a file, by its path with slashes */

/**
 * Every file below a folder; none when it is missing.
 * @param {string} folder
 * @param {string} place where they go, empty or with a slash at the end
 * @param {(path: string) => boolean} [wanted] by the path below the folder, with slashes
 * @returns {Entry[]}
 */
export function filesBelow(folder, place, wanted = () => true) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .map(file => ({
      file,
      path: file
        .slice(folder.length + 1)
        .split(sep)
        .join("/"),
    }))
    .filter(({ path }) => wanted(path))
    .map(({ file, path }) => ({ path: `${place}${path}`, content: readFileSync(file) }));
}

/** In a folder that was built, the list of what is of the build: the next one takes away nothing else. */
export const LIST = ".built";

/**
 * Paths of what the last build has put into a folder; undefined when it has left no list.
 * @param {string} folder
 */
export function listIn(folder) {
  if (!existsSync(join(folder, LIST))) return undefined;
  const lines = readFileSync(join(folder, LIST), "utf8").split("\n");
  return lines.filter(path => path !== "" && !isAbsolute(path) && !/(^|[\\/])\.\.([\\/]|$)/.test(path));
}

/**
 * Every file of a part of the build, and none that somebody else keeps there.
 * @param {string} part folder in `dist`
 * @param {string} place
 */
export function builtFiles(part, place) {
  const list = listIn(join(ROOT, "dist"));
  return filesBelow(join(ROOT, "dist", part), place, path => list?.includes(`${part}/${path}`) ?? true);
}

/**
 * A text file.
 * @param {string} path
 * @param {string} text with any line ends
 * @param {{ executable?: boolean, windows?: boolean }} [form] `windows`: line ends that its old programs need
 * @returns {Entry}
 */
export function textFile(path, text, { executable = false, windows = false } = {}) {
  const lines = text.replaceAll("\r\n", "\n");
  return { path, content: Buffer.from(windows ? lines.replaceAll("\n", "\r\n") : lines), executable };
}

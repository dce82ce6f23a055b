import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { filesBelow } from "../files.mjs";

/** @typedef {import("../files.mjs").Entry} Entry */

/**
 * Makes a folder hold these files and no others. What differs is written into a new folder and moved over the old file
 * from there, so that whoever reads meanwhile gets the one or the other, and a folder that holds them already is only
 * read: it may belong to somebody else, and several may do this at once.
 * @param {string} folder absolute
 * @param {Entry[]} files
 * @param {(path: string) => boolean} [stays] what others keep there
 */
export function publish(folder, files, stays = () => false) {
  const changed = files.filter(({ path, content }) => !holds(join(folder, path), content));
  if (changed.length > 0) {
    mkdirSync(dirname(folder), { recursive: true });
    const fresh = mkdtempSync(join(dirname(folder), ".dist-"));
    try {
      for (const { path, content } of changed) {
        for (const place of [fresh, folder]) mkdirSync(dirname(join(place, path)), { recursive: true });
        writeFileSync(join(fresh, path), content);
        move(join(fresh, path), join(folder, path), content);
      }
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  }
  const wanted = new Set(files.map(({ path }) => path));
  for (const { path } of filesBelow(folder, "", path => !wanted.has(path) && !stays(path)))
    rmSync(join(folder, path), { force: true });
}

/**
 * @param {string} from
 * @param {string} to
 * @param {Uint8Array} content
 */
function move(from, to, content) {
  try {
    renameSync(from, to);
  } catch (error) {
    // Windows refuses while another build puts the same file there.
    if (!holds(to, content)) throw error;
  }
}

/**
 * @param {string} path
 * @param {Uint8Array} content
 */
function holds(path, content) {
  try {
    return readFileSync(path).equals(content);
  } catch {
    return false;
  }
}

import { lstatSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LIST, listIn, textFile } from "../files.mjs";

/** @typedef {import("../files.mjs").Entry} Entry */

/**
 * Makes a folder hold these files, and no longer those that the last build has put there besides. What differs is written
 * into a new folder and moved over the old file from there, so that whoever reads meanwhile gets the one or the other, and
 * a folder that holds them already is only read: it may belong to somebody else, and several may do this at once.
 * @param {string} folder absolute
 * @param {Entry[]} built
 * @throws when the folder or one in it is a link: what it leads to is somebody else's
 */
export function publish(folder, built) {
  const wanted = new Set(built.map(({ path }) => path).sort());
  const old = (listIn(folder) ?? []).filter(path => !wanted.has(path));
  refuseLinks(folder, [...wanted, ...old]);
  const files = [...built, textFile(LIST, [...wanted, ""].join("\n"))];
  const changed = files.filter(({ path, content }) => !holds(join(folder, path), content));
  if (changed.length > 0) {
    mkdirSync(dirname(folder), { recursive: true });
    const fresh = mkdtempSync(join(dirname(folder), ".dist-"));
    try {
      for (const { path, content } of changed) {
        for (const place of [fresh, folder]) mkdirSync(dirname(join(place, path)), { recursive: true });
        writeFileSync(join(fresh, path), content);
        // The list is the last: what it no longer names is gone by then.
        if (path === LIST) for (const each of old) rmSync(join(folder, each), { force: true });
        move(join(fresh, path), join(folder, path), content);
      }
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  }
}

/** @param {string} folder @param {string[]} paths */
function refuseLinks(folder, paths) {
  const folders = new Set(["."]);
  for (const path of paths) for (let at = dirname(path); at !== "."; at = dirname(at)) folders.add(at);
  for (const each of folders) {
    const path = join(folder, each);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new Error(`${path}: is a link: expected a folder for the build alone: delete the link`);
  }
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

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";

/** @typedef {{ path: string, content: Uint8Array, executable?: boolean }} Entry a file, by its path with slashes */

/** Paths of all files below a folder, with slashes. @param {string} folder */
const pathsBelow = folder =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join("/"),
    )
    .sort();

/**
 * Every file below a folder; none if it is missing.
 * @param {string} folder
 * @param {string} place their new folder, empty or with a trailing slash
 * @param {(path: string) => boolean} [wanted] by the path below the folder, with slashes
 * @returns {Entry[]}
 */
export const filesBelow = (folder, place, wanted = () => true) =>
  (existsSync(folder) ? pathsBelow(folder) : [])
    .filter(wanted)
    .map(path => ({ path: `${place}${path}`, content: readFileSync(join(folder, path)) }));

/**
 * A text file.
 * @param {string} path
 * @param {string} text with any line endings
 * @param {{ executable?: boolean, windows?: boolean }} [form] `windows`: line endings that old Windows programs need
 * @returns {Entry}
 */
export function textFile(path, text, { executable = false, windows = false } = {}) {
  const lines = text.replaceAll("\r\n", "\n");
  return { path, content: Buffer.from(windows ? lines.replaceAll("\n", "\r\n") : lines), executable };
}

/** Suffix of a file that is being written. */
const UNFINISHED = ".new";

/**
 * Writes built files to a folder, and removes all other files from the subfolders that the build fills. Unchanged files are
 * not touched; the others are renamed into place, so that a reader gets either the old file or the new one.
 * @param {string} folder
 * @param {Entry[]} built
 */
export function publish(folder, built) {
  for (const { path, content } of built) {
    const file = join(folder, path);
    if (existsSync(file) && readFileSync(file).equals(content)) continue;
    const fresh = `${file}.${process.pid}${UNFINISHED}`;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(fresh, content);
    renameSync(fresh, file);
  }
  const paths = new Set(built.map(({ path }) => path));
  // Another build may be writing at the same time.
  for (const part of new Set(built.flatMap(({ path }) => /^(.+?)\//.exec(path)?.[1] ?? [])))
    for (const path of pathsBelow(join(folder, part)).map(below => `${part}/${below}`))
      if (!paths.has(path) && !path.endsWith(UNFINISHED)) rmSync(join(folder, path), { force: true });
}

import { gzipSync, zipSync } from "fflate";
import { packTar } from "modern-tar";

/** @typedef {import("./files.mjs").Entry} Entry */

/** @param {Entry} entry */
const modeOf = ({ executable }) => (executable ? 0o755 : 0o644);

/**
 * A compressed tar archive, the same bytes for the same entries in any order.
 * @param {Entry[]} entries
 */
export async function tarGz(entries) {
  // The first day that a zip archive can store.
  const mtime = new Date(Date.UTC(1980, 0, 1));
  const foldersOf = (/** @type {string} */ path) =>
    [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1));
  const folders = [...new Set(entries.flatMap(({ path }) => foldersOf(path)))].map(name => ({
    header: { name, mtime, type: /** @type {const} */ ("directory"), mode: 0o755, size: 0 },
  }));
  const files = entries.map(entry => ({
    header: { name: entry.path, mtime, mode: modeOf(entry), size: entry.content.length },
    body: entry.content,
  }));
  const all = [...folders, ...files].sort((a, b) => (a.header.name < b.header.name ? -1 : 1));
  return gzipSync(await packTar(all), { level: 9, mtime });
}

/** Attributes of a zip entry: the system Unix, and the mode bits of a plain file. */
const [UNIX, PLAIN] = [3, 0o100000];

/**
 * A zip archive, the same bytes for the same entries in any order.
 * @param {Entry[]} entries
 */
export function zip(entries) {
  // The format stores local time without its zone.
  const mtime = new Date(1980, 0, 1, 12);
  const sorted = [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
  return zipSync(
    Object.fromEntries(
      sorted.map(entry => [
        entry.path,
        [entry.content, { os: UNIX, attrs: (PLAIN | modeOf(entry)) * 0x10000, mtime }],
      ]),
    ),
    { level: 9 },
  );
}

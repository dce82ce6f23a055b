import { gzipSync } from "fflate";
import { packTar } from "modern-tar";

/** @typedef {import("../files.mjs").Entry} Entry */

/** Time of every file in an archive: the first day that a zip archive can name as well. */
const mtime = new Date(Date.UTC(1980, 0, 1));

/**
 * A compressed tar archive of files and of the folders they are in, the same bytes for the same entries.
 * @param {Entry[]} entries with `/` between folders
 * @returns {Promise<Uint8Array>}
 */
export async function tarGz(entries) {
  const folders = [...new Set(entries.flatMap(({ path }) => foldersOf(path)))];
  const all = [
    ...folders.map(name => ({
      header: { name, mtime, type: /** @type {const} */ ("directory"), mode: 0o755, size: 0 },
    })),
    ...entries.map(({ path, content, executable }) => ({
      header: { name: path, mtime, mode: executable ? 0o755 : 0o644, size: content.length },
      body: content,
    })),
  ];
  all.sort((a, b) => (a.header.name < b.header.name ? -1 : 1));
  return gzipSync(await packTar(all), { level: 9, mtime });
}

/** @param {string} path */
function foldersOf(path) {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => `${names.slice(0, index + 1).join("/")}/`);
}

import { zipSync } from "fflate";

/** @typedef {import("../files.mjs").Entry} Entry */

/** Where a zip archive says that file modes of Unix follow. */
const UNIX = 3;
/** Mark of a plain file in such a mode. */
const PLAIN = 0o100000;

/**
 * A zip archive, the same bytes for the same entries.
 * @param {Entry[]} entries with `/` between folders
 * @returns {Uint8Array}
 */
export function zip(entries) {
  const sorted = [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
  // The format has no time zone: what counts is what the clock on the wall would show.
  const mtime = new Date(1980, 0, 1, 12);
  return zipSync(
    Object.fromEntries(
      sorted.map(({ path, content, executable }) => [
        path,
        [content, { os: UNIX, attrs: (PLAIN | (executable ? 0o755 : 0o644)) * 0x10000, mtime }],
      ]),
    ),
    { level: 9 },
  );
}

import { gzipSync } from "fflate";

/** @typedef {{ path: string, content: Uint8Array, executable?: boolean }} Entry */

const BLOCK = 512;
const encoder = new TextEncoder();

/** Time of every file in an archive, in seconds: the first day that a zip archive can name as well. */
const TIME = Date.UTC(1980, 0, 1) / 1000;

/**
 * A compressed tar archive of files and of the folders they are in, the same bytes for the same entries.
 * @param {Entry[]} entries with `/` between folders
 * @returns {Uint8Array}
 * @throws when a path is longer than the format allows
 */
export function tarGz(entries) {
  const folders = [...new Set(entries.flatMap(({ path }) => foldersOf(path)))];
  const all = [...folders.map(path => ({ path, content: new Uint8Array(0), executable: true })), ...entries];
  all.sort((a, b) => (a.path < b.path ? -1 : 1));
  const parts = all.flatMap(entry => [header(entry), entry.content, padding(entry.content.length)]);
  return gzipSync(join([...parts, new Uint8Array(2 * BLOCK)]), { level: 9, mtime: TIME * 1000 });
}

/** @param {string} path */
function foldersOf(path) {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => `${names.slice(0, index + 1).join("/")}/`);
}

/** @param {Entry} entry a folder when its path ends with a slash */
function header({ path, content, executable }) {
  const block = new Uint8Array(BLOCK);
  const [prefix, name] = split(path);
  /** @param {number} at @param {string} text */
  const put = (at, text) => block.set(encoder.encode(text), at);
  /** @param {number} at @param {number} digits @param {number} value */
  const octal = (at, digits, value) => put(at, value.toString(8).padStart(digits, "0"));
  put(0, name);
  octal(100, 7, executable ? 0o755 : 0o644);
  octal(108, 7, 0);
  octal(116, 7, 0);
  octal(124, 11, content.length);
  octal(136, 11, TIME);
  put(148, "        ");
  put(156, path.endsWith("/") ? "5" : "0");
  put(257, "ustar\x0000");
  put(345, prefix);
  octal(
    148,
    6,
    block.reduce((sum, byte) => sum + byte, 0),
  );
  block[154] = 0;
  return block;
}

/**
 * The two fields that hold a path: its beginning, of up to 155 bytes, and the rest, of up to 100.
 * @param {string} path
 * @returns {[string, string]}
 */
function split(path) {
  /** @param {string} text */
  const bytes = text => encoder.encode(text).length;
  if (bytes(path) <= 100) return ["", path];
  for (let at = path.indexOf("/"); at > 0 && at < path.length - 1; at = path.indexOf("/", at + 1)) {
    if (bytes(path.slice(at + 1)) <= 100 && bytes(path.slice(0, at)) <= 155)
      return [path.slice(0, at), path.slice(at + 1)];
  }
  throw new Error(`${path}: too long for a tar archive`);
}

/** @param {number} length */
const padding = length => new Uint8Array((BLOCK - (length % BLOCK)) % BLOCK);

/** @param {Uint8Array[]} parts */
function join(parts) {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

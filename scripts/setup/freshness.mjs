import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { ROOT } from "./paths.mjs";

/** What a build is made of. */
const SOURCES = [
  "shared",
  "bds",
  "setup",
  "doctor",
  "behavior_pack",
  "resource_pack",
  "languages",
  "sidecar",
  "client",
  "web",
  "simulator",
  "scripts",
  "reference",
  "bench",
  "demo",
  "manifest.json",
  "package.json",
  "package-lock.json",
];

const STAMP = join(ROOT, "dist", "build.json");

/** @typedef {{ sources: string, outputs: string[] }} Stamp */

/**
 * Hash over the names and contents of every file in these places; one that is missing counts as empty.
 * @param {string} root
 * @param {string[]} places
 * @returns {string}
 */
export function hashOf(root, places) {
  const hash = createHash("sha256");
  for (const path of places.flatMap(place => filesIn(root, place)).sort()) {
    const content = readFileSync(join(root, path));
    hash.update(`${path.split(sep).join("/")}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/**
 * Whether a build has to be made again.
 * @param {Stamp | undefined} stamp what the last build left
 * @param {string} sources hash of the sources now
 * @param {(path: string) => boolean} exists
 */
export function isStale(stamp, sources, exists) {
  return stamp === undefined || stamp.sources !== sources || !stamp.outputs.every(exists);
}

/** Whether the files in `dist` are those that the sources would give. */
export function buildIsStale() {
  return isStale(readStamp(), hashOf(ROOT, SOURCES), path => existsSync(join(ROOT, path)));
}

/**
 * Notes that `dist` fits the sources.
 * @param {string[]} outputs relative to the root
 */
export function markBuilt(outputs) {
  writeFileSync(STAMP, `${JSON.stringify({ sources: hashOf(ROOT, SOURCES), outputs }, undefined, 2)}\n`);
}

/** @returns {Stamp | undefined} */
function readStamp() {
  try {
    const stamp = JSON.parse(readFileSync(STAMP, "utf8"));
    return Array.isArray(stamp.outputs) ? stamp : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} root
 * @param {string} place
 * @returns {string[]}
 */
function filesIn(root, place) {
  if (!existsSync(join(root, place))) return [];
  if (/\.json$/.test(place)) return [place];
  return readdirSync(join(root, place), { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1));
}

import { dirname, join } from "node:path";
import { filesBelow } from "../../bds/built-pack.ts";
import { inside } from "../../bds/safe-paths.ts";
import { journalFile, journalFolder } from "../../bds/setup-folder.ts";
import { missingFolders } from "./apply-changes.ts";
import { stateOf } from "./change.ts";
import type { Disk } from "./disk.ts";
import { fullPath, type Journal, shortPath } from "./journal.ts";

/** What setup has changed in a copy, and the owner has to change on the host. Folders end with `/`, and mean all in them. */
export interface Transfer {
  upload: string[];
  delete: string[];
}

/** Folders that have files of this product only. Others may have more on the host than in a copy. */
const OURS = /^(web-bridge-setup|config\/[^/]+|(.+\/)?(behavior|resource)_packs\/[^/]+)$/;

/**
 * Paths in a copy for the owner, relative to it. Files of a missing folder of this product are named by that folder.
 * @param paths absolute; those outside the copy are left out
 * @param missing folders
 */
function placesOf(root: string, paths: readonly string[], missing: ReadonlySet<string>): string[] {
  const nameOf = (path: string): string => {
    for (let at = dirname(path); at !== root && at !== dirname(at); at = dirname(at))
      if (missing.has(at) && OURS.test(shortPath(root, at))) return `${shortPath(root, at)}/`;
    return shortPath(root, path);
  };
  return [...new Set(paths.filter(path => inside(root, path) !== undefined).map(nameOf))];
}

const missingAbove = (paths: readonly string[], disk: Disk): ReadonlySet<string> =>
  new Set(paths.flatMap(path => missingFolders(dirname(path), disk)));

/**
 * Changes a copy, and finds out what has changed.
 * @param paths files that may change, absolute, besides setup's journal
 */
export function withTransfer<T>(
  root: string,
  paths: readonly string[],
  disk: Disk,
  act: () => T,
): T & { transfer: Transfer } {
  const states = (): Map<string, string> => {
    const folder = journalFolder(root);
    const all = [...paths, ...filesBelow(folder, disk).map(name => join(folder, name))];
    return new Map(all.map(path => [path, stateOf(disk.read(path))]));
  };
  const before = states();
  const wasMissing = missingAbove([...paths, journalFile(root)], disk);
  const outcome = act();
  const after = states();
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    path => (before.get(path) ?? "gone") !== (after.get(path) ?? "gone"),
  );
  const isGone = (path: string): boolean => (after.get(path) ?? "gone") === "gone";
  const removed = changed.filter(isGone);
  const upload = placesOf(
    root,
    changed.filter(path => !isGone(path)),
    wasMissing,
  );
  return { ...outcome, transfer: { upload, delete: placesOf(root, removed, missingAbove(removed, disk)) } };
}

/**
 * What the owner should know before a copy is changed, one line each.
 * @param paths files that setup reads, absolute
 */
export function copyNotes(root: string, paths: readonly string[], disk: Disk): string[] {
  const absent = paths.filter(path => disk.kindOf(path) === undefined);
  const names = placesOf(root, absent, missingAbove(absent, disk));
  return [
    "stop the server on the host before the download, and start it after the upload: if it has run in between, download all files again",
    ...(names.length === 0
      ? []
      : [`not in this folder: ${names.join(", ")}: if the host has any of these, download them first`]),
  ];
}

/** The files of a journal that setup has left in place. */
export const journalFiles = (root: string, { entries }: Journal): string[] =>
  entries.filter(({ after }) => after.at(-1) !== "gone").map(({ path }) => fullPath(root, path));

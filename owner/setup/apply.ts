import { dirname } from "node:path";
import { orElse } from "../../cli/errno.ts";
import { type Change, Refusal, stateOf } from "./change.ts";
import type { Disk } from "./disk.ts";

/** Name of a file while it is being written. Only one setup is at work, so it needs no more than this. */
export const draftOf = (path: string): string => `${path}.web-bridge-tmp`;

const FOLDER_MODE = 0o755;

/**
 * Makes changes, each file as a whole. What needs room on the disk or permissions comes first, beside the files; then
 * they take their places. When one step fails, everything is put back and the error is thrown on.
 * @param settled called when everything is written and nothing is in place yet; may throw
 */
export function applyChanges(changes: readonly Change[], disk: Disk, settled: () => void = () => {}): void {
  const made: string[] = [];
  const placed: Change[] = [];
  try {
    for (const { path, after, mode } of changes) {
      disk.remove(draftOf(path));
      if (after === undefined) continue;
      for (const folder of missingFolders(dirname(path), disk)) {
        disk.makeFolder(folder, FOLDER_MODE);
        made.push(folder);
      }
      disk.create(draftOf(path), after, mode, path);
    }
    settled();
    for (const { path, before } of changes)
      if (stateOf(disk.read(path)) !== stateOf(before))
        throw new Refusal(`${path}: was changed by somebody else a moment ago: run this again`);
    for (const change of changes) {
      placed.push(change);
      if (change.after === undefined) disk.remove(change.path);
      else disk.rename(draftOf(change.path), change.path);
    }
    for (const folder of new Set(changes.map(({ path }) => dirname(path)))) flushIfThere(folder, disk);
  } catch (error) {
    putBack(changes, placed, made, disk);
    throw error;
  }
}

/** Folders that are missing on the way to one, outermost first. */
export function missingFolders(folder: string, disk: Disk): string[] {
  const missing: string[] = [];
  for (let at = folder; disk.kindOf(at) === undefined && dirname(at) !== at; at = dirname(at))
    missing.unshift(at);
  return missing;
}

function putBack(
  changes: readonly Change[],
  placed: readonly Change[],
  made: readonly string[],
  disk: Disk,
): void {
  // Each thing that can still be put back is, whatever becomes of the others; the journal has the rest.
  for (const { path } of changes) orElse(() => disk.remove(draftOf(path)), undefined);
  for (const { path, before, mode } of [...placed].reverse())
    orElse(() => {
      if (stateOf(disk.read(path)) === stateOf(before)) return;
      if (before === undefined) return disk.remove(path);
      disk.create(draftOf(path), before, mode, path);
      disk.rename(draftOf(path), path);
    }, undefined);
  for (const folder of [...made].reverse()) orElse(() => disk.removeFolder(folder), undefined);
}

function flushIfThere(folder: string, disk: Disk): void {
  if (disk.kindOf(folder) === "folder") disk.flush(folder);
}

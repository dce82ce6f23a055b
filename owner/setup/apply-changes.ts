import { dirname } from "node:path";
import { type Change, Refusal, stateOf } from "./change.ts";
import { type Disk, draftPath } from "./disk.ts";
import {
  fullPath,
  isOutsideServer,
  type Journal,
  removeJournal,
  shortPath,
  withChanges,
  writeJournal,
} from "./journal.ts";

/**
 * Makes changes in order, each file atomically, so that the server starts after each of them. The journal is written
 * first: an interrupted setup can be undone, or completed by another run.
 * @param earlier the journal of earlier runs; undefined: there was none
 * @param more further fields of the journal
 */
export function applyChanges(
  root: string,
  earlier: Journal | undefined,
  changes: readonly Change[],
  more: Omit<Journal, "entries" | "folders">,
  disk: Disk,
): void {
  refuseChanged(changes, disk);
  const made = changes
    .filter(({ after }) => after !== undefined)
    .flatMap(({ path }) => missingFolders(dirname(path), disk));
  const folders = new Set([...(earlier?.folders ?? []), ...made.map(folder => shortPath(root, folder))]);
  const entries = withChanges(root, earlier?.entries ?? [], changes, disk);
  writeJournal(root, { entries, folders: [...folders], ...more }, changes, disk);
  for (const change of changes) makeChange(change, disk);
  for (const folder of emptiedBy(root, changes)) disk.removeFolder(folder);
}

/** Makes the changes of undo, and removes the journal unless a part is left. */
export function undoChanges(
  root: string,
  { entries, folders }: Journal,
  { changes, isPart }: { changes: readonly Change[]; isPart: boolean },
  disk: Disk,
): void {
  refuseChanged(changes, disk);
  for (const change of changes) makeChange(change, disk);
  for (const entry of entries)
    if (!isOutsideServer(root, entry)) disk.remove(draftPath(fullPath(root, entry.path)));
  for (const folder of [...folders].reverse()) disk.removeFolder(fullPath(root, folder));
  if (!isPart) removeJournal(root, disk);
}

export function makeChange({ path, after, mode }: Change, disk: Disk): void {
  if (after !== undefined) {
    for (const folder of missingFolders(dirname(path), disk)) disk.makeFolder(folder);
    disk.write(path, after, mode);
  } else disk.remove(path);
}

/** Throws `Refusal` if a file has changed since the changes were planned, or cannot be changed. */
export function refuseChanged(changes: readonly Change[], disk: Disk): void {
  for (const { path, before } of changes) {
    if (stateOf(disk.read(path)) !== stateOf(before))
      throw new Refusal(`${path}: was changed by another program: run this again`);
    const folder = dirname(missingFolders(dirname(path), disk)[0] ?? path);
    if (!disk.takesFiles(folder)) throw Object.assign(new Error(`EACCES: ${path}`), { code: "EACCES", path });
  }
}

/** Missing folders of a path, outermost first. */
export function missingFolders(folder: string, disk: Disk): string[] {
  const missing: string[] = [];
  for (let at = folder; disk.kindOf(at) === undefined && dirname(at) !== at; at = dirname(at))
    missing.unshift(at);
  return missing;
}

/** Folders of packs that lose files, innermost first. */
function emptiedBy(root: string, changes: readonly Change[]): string[] {
  const folders = new Set<string>();
  for (const { path, kind, after } of changes) {
    if (kind !== "pack" || after !== undefined) continue;
    for (let at = dirname(path); !/_packs$/.test(at) && at !== root; at = dirname(at)) folders.add(at);
  }
  return [...folders].sort((a, b) => b.length - a.length);
}

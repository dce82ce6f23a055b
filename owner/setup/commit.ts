import { dirname } from "node:path";
import { applyChanges, draftOf, missingFolders } from "./apply.ts";
import type { Change, Plan } from "./change.ts";
import type { Disk } from "./disk.ts";
import {
  emptyJournal,
  fullPath,
  readJournal,
  removeJournal,
  shortPath,
  withChanges,
  writeJournal,
} from "./journal.ts";
import { isElsewhere, type Journal } from "./journal-file.ts";

/**
 * Makes changes so that they can be undone: they are noted before the first of them. When one fails, all is as it was
 * and the error is thrown on.
 * @param settled as for `applyChanges`
 */
export function commit(
  root: string,
  { changes, filled, bridgeUrl, as }: Pick<Plan, "changes" | "filled"> & Pick<Journal, "bridgeUrl" | "as">,
  disk: Disk,
  settled: () => void,
): void {
  const earlier = readJournal(root, disk);
  let noted = withChanges(root, earlier ?? emptyJournal(), changes, disk);
  const folders = changes.flatMap(({ path, after }) =>
    after === undefined ? [] : missingFolders(dirname(path), disk),
  );
  const emptied = emptiedBy(root, changes);
  const more = emptied.map(folder => ({
    path: shortPath(root, folder),
    mode: disk.modeOf(folder) ?? 0o755,
  }));
  noted = {
    ...noted,
    folders: [...new Set([...noted.folders, ...folders.map(folder => shortPath(root, folder))])],
    removed: [
      ...noted.removed,
      ...more.filter(({ path }) => !noted.removed.some(each => each.path === path)),
    ],
    bridgeUrl,
    as,
    filled,
  };
  try {
    writeJournal(root, noted, changes, disk);
    applyChanges(changes, disk, settled);
  } catch (error) {
    takeBack(root, earlier, disk);
    throw error;
  }
  for (const folder of emptied.reverse()) disk.removeFolder(folder);
  removeDrafts(root, noted, disk);
}

/**
 * Takes changes back, and the journal with them.
 * @param settled as for `applyChanges`
 */
export function rollBack(
  root: string,
  journal: Journal,
  changes: readonly Change[],
  disk: Disk,
  settled: () => void,
): void {
  for (const { path, mode } of journal.removed) {
    const folder = fullPath(root, path);
    const isNeeded = changes.some(change => change.after !== undefined && change.path.startsWith(folder));
    if (isNeeded && disk.kindOf(folder) === undefined) disk.makeFolder(folder, mode);
  }
  applyChanges(changes, disk, settled);
  removeDrafts(root, journal, disk);
  for (const folder of [...journal.folders].reverse()) disk.removeFolder(fullPath(root, folder));
  writeJournal(root, { ...journal, undone: true }, [], disk);
  removeJournal(root, disk);
}

function removeDrafts(root: string, { entries }: Journal, disk: Disk): void {
  for (const entry of entries)
    if (!isElsewhere(root, entry)) disk.remove(draftOf(fullPath(root, entry.path)));
}

function takeBack(root: string, earlier: Journal | undefined, disk: Disk): void {
  try {
    if (earlier === undefined) removeJournal(root, disk);
    else writeJournal(root, earlier, [], disk);
  } catch {
    // Entries of changes that were not made are passed over by undo.
  }
}

/** Folders of packs that lose files, outermost first; those that keep others stay. */
function emptiedBy(root: string, changes: readonly Change[]): string[] {
  const folders = new Set<string>();
  for (const { path, kind, after } of changes) {
    if (kind !== "pack" || after !== undefined) continue;
    for (let at = dirname(path); !/_packs$/.test(at) && at !== root; at = dirname(at)) folders.add(at);
  }
  return [...folders].sort((a, b) => a.length - b.length);
}

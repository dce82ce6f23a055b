import { Buffer } from "node:buffer";
import { isAbsolute, join, sep } from "node:path";
import { reasonOf } from "../../cli/errno.ts";
import { MOST_BYTES } from "../bds/bounds.ts";
import { type Fault, isFault } from "../bds/fault.ts";
import { depthFault, isObject } from "../bds/json-text.ts";
import { journalFile, journalFolder } from "../bds/setup-notes.ts";
import { decodeText, encodeText } from "../bds/text.ts";
import { inside } from "../bds/way.ts";
import { draftOf } from "./apply.ts";
import { type Change, type Kind, Refusal, stateOf } from "./change.ts";
import type { Disk } from "./disk.ts";
import { type Entry, type Journal, readJournalValue } from "./journal-file.ts";
import { revertJson, revertProperties } from "./revert.ts";

const PRIVATE = 0o600;
/** What lies in the journal's folder beside the lock, which its holder removes, and what a killed setup has left there. */
const OURS = /^(journal\.json|level\.dat\.before-web-bridge|lock\.)/;

export const emptyJournal = (): Journal => ({
  version: 1,
  entries: [],
  folders: [],
  removed: [],
  bridgeUrl: undefined,
  as: undefined,
  filled: undefined,
  undone: false,
});

/** The journal that earlier runs have left; undefined when there is none. */
export function readJournal(root: string, disk: Disk): Journal | undefined {
  const path = journalFile(root);
  const bytes = disk.read(path, MOST_BYTES.journal);
  if (bytes === undefined) return undefined;
  const read = parsed(bytes);
  if (!isFault(read) && isObject(read.value) && read.value.version !== 1)
    throw new Refusal(`${path}: was written by another version of setup: use that version`);
  const journal = isFault(read) ? read : readJournalValue(root, read.value);
  if (isFault(journal))
    throw new Refusal(`${path}: ${journal.fault}: delete ${journalFolder(root)} to go on without undo`);
  return journal.value.undone ? undefined : journal.value;
}

function parsed(bytes: Uint8Array): { value: unknown } | Fault {
  try {
    const text = Buffer.from(bytes).toString("utf8");
    const value: unknown = JSON.parse(text);
    return depthFault(text) ?? { value };
  } catch (error) {
    return { fault: `cannot be read: ${reasonOf(error)}` };
  }
}

/** Notes changes that are about to be made, with the bytes that undoing them needs. */
export function writeJournal(root: string, journal: Journal, changes: readonly Change[], disk: Disk): void {
  for (const { before, after, kind } of changes) {
    keep(root, before, kind, disk);
    if (kind === "json" || kind === "properties") keep(root, after, kind, disk);
  }
  replace(journalFile(root), `${JSON.stringify(journal, undefined, 2)}\n`, disk);
}

/** The bytes of a state that the journal keeps. */
export function keptBytes(root: string, state: string, disk: Disk): Uint8Array | undefined {
  if (state === "gone") return undefined;
  const bytes = disk.read(keptPath(root, state, "json", disk));
  if (bytes === undefined || stateOf(bytes) !== state)
    throw new Refusal(`${journalFolder(root)}: is damaged: what was kept in it is not there any more`);
  return bytes;
}

/** What setup has noted of a file, by its path without links. */
export const entryOf = (root: string, journal: Journal | undefined, path: string): Entry | undefined =>
  journal?.entries.find(entry => entry.path === shortPath(root, path));

/** The journal with changes added to it. A file that was changed since the last run counts as changed by its owner. */
export function withChanges(root: string, journal: Journal, changes: readonly Change[], disk: Disk): Journal {
  const entries = new Map(journal.entries.map(entry => [entry.path, entry]));
  for (const change of changes) {
    const path = shortPath(root, change.path);
    const old = entries.get(path);
    const state = stateOf(change.before);
    const before = { state, mode: disk.modeOf(change.path) ?? change.mode };
    const after = [...(old?.after ?? []), stateOf(change.after)];
    const isOurs = old !== undefined && (old.before.state === state || old.after.includes(state));
    if (old === undefined) entries.set(path, { path, kind: change.kind, before, after });
    else if (isOurs || old.kind === "pack") entries.set(path, { ...old, after });
    else {
      const mode = before.mode;
      const owners = takenOut(root, old, change.before, disk);
      keep(root, owners, change.kind, disk);
      entries.set(path, { ...old, before: { state: stateOf(owners), mode }, after });
    }
  }
  return { ...journal, entries: [...entries.values()] };
}

/** What a file that was changed since would be without what setup has put into it. */
export function takenOut(
  root: string,
  entry: Entry,
  now: Uint8Array | undefined,
  disk: Disk,
): Uint8Array | undefined {
  if (now === undefined || (entry.kind !== "json" && entry.kind !== "properties")) return now;
  const text = (bytes: Uint8Array | undefined) => (bytes === undefined ? undefined : decodeText(bytes));
  const before = text(keptBytes(root, entry.before.state, disk));
  const after = text(keptBytes(root, entry.after.at(-1) ?? "gone", disk));
  const is = decodeText(now);
  if (after === undefined || isFault(is) || isFault(after) || (before && isFault(before))) return now;
  const left =
    entry.kind === "json"
      ? revertJson(before?.text, after.text, is.text)
      : revertProperties(before?.text ?? "", after.text, is.text);
  return left === undefined ? undefined : encodeText({ ...is, text: left });
}

/** Removes the journal: what it keeps first, so that an interrupted removal is seen and can be ended. */
export function removeJournal(root: string, disk: Disk): void {
  const folder = journalFolder(root);
  const kept = join(folder, "kept");
  for (const name of disk.list(kept)) disk.remove(join(kept, name));
  disk.removeFolder(kept);
  for (const name of disk.list(folder)) if (OURS.test(name)) disk.remove(join(folder, name));
}

export const shortPath = (root: string, path: string): string =>
  inside(root, path)?.split(sep).join("/") ?? path;

export const fullPath = (root: string, path: string): string => (isAbsolute(path) ? path : join(root, path));

const LEVEL_BACKUP = "level.dat.before-web-bridge";
const MAX_LEVELS = 20;

/** A world's first level.dat lies where its owner finds it; a later one beside it. */
function keptPath(root: string, state: string, kind: Kind, disk: Disk): string {
  const folder = journalFolder(root);
  const levels = disk.list(folder).filter(name => name.startsWith(LEVEL_BACKUP) && !name.endsWith("tmp"));
  if (levels.length > MAX_LEVELS)
    throw new Refusal(`${join(folder, LEVEL_BACKUP)}: has more than ${MAX_LEVELS} later ones beside it`);
  const same = levels.find(name => stateOf(disk.read(join(folder, name))) === state);
  if (same !== undefined) return join(folder, same);
  if (kind !== "level") return join(folder, "kept", state);
  return join(folder, levels.length === 0 ? LEVEL_BACKUP : `${LEVEL_BACKUP}.${levels.length + 1}`);
}

function keep(root: string, bytes: Uint8Array | undefined, kind: Kind, disk: Disk): void {
  if (bytes === undefined) return;
  const path = keptPath(root, stateOf(bytes), kind, disk);
  if (disk.read(path) !== undefined) return;
  const folder = join(journalFolder(root), "kept");
  if (disk.kindOf(folder) === undefined) disk.makeFolder(folder, 0o700);
  replace(path, bytes, disk);
}

function replace(path: string, content: string | Uint8Array, disk: Disk): void {
  disk.remove(draftOf(path));
  disk.create(draftOf(path), typeof content === "string" ? Buffer.from(content) : content, PRIVATE);
  disk.rename(draftOf(path), path);
}

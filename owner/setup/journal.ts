import { isAbsolute, join, sep } from "node:path";
import { isFault } from "../../bds/fault.ts";
import { parseJson } from "../../bds/json-text.ts";
import { inside } from "../../bds/safe-paths.ts";
import { journalFile, journalFolder } from "../../bds/setup-folder.ts";
import {
  bool,
  check,
  type Guard,
  int,
  list,
  object,
  oneOf,
  optional,
  record,
  text,
} from "../../shared/guard.ts";
import { type Change, type Kind, Refusal, stateOf } from "./change.ts";
import type { Disk } from "./disk.ts";
import type { ServerInfo } from "./server-info.ts";

/** A file before setup and after it. States are those of `stateOf`. */
export interface JournalEntry {
  /** relative to the server's folder, with `/`; absolute for a configuration of the sidecar elsewhere */
  path: string;
  kind: Kind;
  before: { state: string; mode: number };
  /** every state that setup has given it, oldest first; empty if it was edited between two runs */
  after: string[];
  /** the changes for people */
  lines?: string[] | undefined;
}

/** What setup has done to a server, for undo and later runs. */
export interface Journal {
  entries: JournalEntry[];
  /** folders that setup has made, outermost first */
  folders: string[];
  /** address of the sidecar from `--bridge-url`; undefined: that of its configuration */
  bridgeUrl: string | undefined;
  /** name from `--as`; undefined: the first game server */
  as: string | undefined;
  /** values that setup has filled into the sidecar's configuration */
  filled: ServerInfo | undefined;
  /** whether the pack is the one that keeps achievements */
  keepsAchievements?: boolean | undefined;
}

/** States are file names too. */
const STATE = /^(gone|[0-9a-f]{64})$/;
/** Most files, folders and lines in a journal. */
const MAX_ENTRIES = 5000;

/** Whether a text is an address of a sidecar, without slash at its end. */
export const isAddress = (text: string): boolean =>
  /^https?:\/\/[^\s/?#]+(\/[^\s?#]*[^\s?#/])?$/i.test(text) && URL.canParse(text);

const anyText = text(Number.POSITIVE_INFINITY);
const state: Guard<string> = (value, path = "body") =>
  typeof value === "string" && STATE.test(value) ? undefined : `${path}: expected a hash or gone`;
const textOrNumber: Guard<string | number> = (value, path = "body") =>
  ["string", "number"].includes(typeof value) ? undefined : `${path}: expected a text or a number`;

const journalFormat = object({
  version: int(1, 1),
  entries: list(
    object({
      path: anyText,
      kind: oneOf("pack", "json", "properties", "level", "yaml"),
      before: object({ state, mode: int(0, 0o7777) }),
      after: list(state, MAX_ENTRIES),
      lines: optional(list(anyText, MAX_ENTRIES)),
    }),
    MAX_ENTRIES,
  ),
  folders: list(anyText, MAX_ENTRIES),
  bridgeUrl: optional(anyText),
  as: optional(anyText),
  filled: optional(record(textOrNumber, MAX_ENTRIES)),
  keepsAchievements: optional(bool),
  // An earlier version has marked an undone journal so before it was removed.
  undone: optional(bool),
});

/** The journal of earlier runs; undefined: there is none. Throws `Refusal` when it cannot be used. */
export function readJournal(root: string, disk: Disk): Journal | undefined {
  const path = journalFile(root);
  const bytes = disk.read(path);
  if (bytes === undefined) return undefined;
  const json = parseJson(Buffer.from(bytes).toString("utf8"), "strict");
  const read = isFault(json) ? json : check(journalFormat, json.value);
  const fault = "fault" in read ? read.fault : unsafePath(root, read.value);
  if ("fault" in read || fault !== undefined)
    throw new Refusal(
      `${path}: cannot be read: ${fault}: delete ${journalFolder(root)} to continue without undo`,
    );
  const { entries, folders, bridgeUrl, as, filled, keepsAchievements, undone } = read.value;
  return undone === true ? undefined : { entries, folders, bridgeUrl, as, filled, keepsAchievements };
}

/** The fault of a path outside the server's folder: anyone who can write to the folder can write a journal. */
function unsafePath(
  root: string,
  { entries, folders }: Pick<Journal, "entries" | "folders">,
): string | undefined {
  const paths = [
    ...entries.filter(entry => !isOutsideServer(root, entry)).map(({ path }) => path),
    ...folders,
  ];
  const unsafe = paths.find(
    path => /(^|[\\/])\.\.([\\/]|$)|\0/.test(path) || (inside(root, path) ?? "") === "",
  );
  return unsafe === undefined ? undefined : `${unsafe}: expected a path in ${root}`;
}

/** Whether an entry is that of a configuration outside the server's folder. */
export const isOutsideServer = (root: string, { path, kind }: JournalEntry): boolean =>
  kind === "yaml" && isAbsolute(path) && inside(root, path) === undefined;

/** The entry of a file, by its path without links. */
export const entryOf = (root: string, noted: Journal | undefined, path: string): JournalEntry | undefined =>
  noted?.entries.find(entry => entry.path === shortPath(root, path));

/** The entries with changes added. A file that was edited since the last run is undone by hand from now on. */
export function withChanges(
  root: string,
  before: readonly JournalEntry[],
  changes: readonly Change[],
  disk: Disk,
): JournalEntry[] {
  const entries = new Map(before.map(entry => [entry.path, entry]));
  for (const { path: full, kind, before: now, after, mode, lines = [] } of changes) {
    const path = shortPath(root, full);
    const old = entries.get(path);
    const is = stateOf(now);
    const made = stateOf(after);
    const isEdited = old !== undefined && old.before.state !== is && !old.after.includes(is);
    entries.set(path, {
      path,
      kind,
      before: old?.before ?? { state: is, mode: disk.modeOf(full) ?? mode },
      after: isEdited && kind !== "pack" ? [] : [...(old?.after ?? []), made],
      lines: [...(old?.lines ?? []), ...lines],
    });
  }
  return [...entries.values()];
}

/** Writes the journal of planned changes, after copying the files. */
export function writeJournal(root: string, noted: Journal, changes: readonly Change[], disk: Disk): void {
  const [folder, copies] = [journalFolder(root), join(journalFolder(root), COPIES)];
  for (const each of [folder, copies])
    if (disk.kindOf(each) === undefined) disk.makeFolder(each, PRIVATE_FOLDER);
  const needed = new Set(noted.entries.map(({ before }) => before.state));
  for (const { before, kind } of changes) {
    if (before === undefined || !needed.has(stateOf(before)) || copyOf(root, stateOf(before), disk)) continue;
    const level = join(folder, LEVEL_COPY);
    const isFirstLevel = kind === "level" && disk.kindOf(level) === undefined;
    disk.write(isFirstLevel ? level : join(copies, stateOf(before)), before, PRIVATE);
  }
  const json = JSON.stringify({ version: 1, ...noted }, undefined, 2);
  disk.write(journalFile(root), Buffer.from(`${json}\n`), PRIVATE);
}

/** The bytes of a file before setup. Throws `Refusal` when the copy is missing. */
export function savedBytes(root: string, state: string, disk: Disk): Uint8Array | undefined {
  if (state === "gone") return undefined;
  const bytes = copyOf(root, state, disk);
  if (bytes === undefined)
    throw new Refusal(`${journalFolder(root)}: is damaged: a copy that undo needs is missing`);
  return bytes;
}

const COPIES = "kept";
/** The first copy of a world's level.dat, where the owner finds it. An earlier version put more copies next to it. */
const LEVEL_COPY = "level.dat.before-web-bridge";
const PRIVATE = 0o600;
const PRIVATE_FOLDER = 0o700;
/** Files beside the copies, and those that a killed setup has left. The lock is removed by its holder. */
const OURS = /^(journal\.json|level\.dat\.before-web-bridge|lock\.)/;

function copyOf(root: string, state: string, disk: Disk): Uint8Array | undefined {
  const folder = journalFolder(root);
  const levels = disk.list(folder).filter(name => name.startsWith(LEVEL_COPY));
  return [join(COPIES, state), ...levels]
    .map(name => disk.read(join(folder, name)))
    .find(bytes => stateOf(bytes) === state);
}

/** Removes the journal, the copies first: undo recognises an interrupted removal by the remaining files. */
export function removeJournal(root: string, disk: Disk): void {
  const folder = journalFolder(root);
  const copies = join(folder, COPIES);
  for (const name of disk.list(copies)) disk.remove(join(copies, name));
  disk.removeFolder(copies);
  for (const name of disk.list(folder)) if (OURS.test(name)) disk.remove(join(folder, name));
  disk.removeFolder(folder);
}

export const shortPath = (root: string, path: string): string =>
  inside(root, path)?.split(sep).join("/") ?? path;

export const fullPath = (root: string, path: string): string => (isAbsolute(path) ? path : join(root, path));

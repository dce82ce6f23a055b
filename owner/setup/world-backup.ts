import { Buffer } from "node:buffer";
import {
  closeSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { giveToFolderOwner } from "../../bds/users.ts";
import { Refusal } from "./change.ts";
import { draftPath, flush } from "./disk.ts";

/** Folder of the copies, in the server's folder but outside `worlds`. */
const FOLDER = "backups";
/** Bytes that are compared at once. */
const CHUNK = 1024 * 1024;
const MEGABYTE = 1024 * 1024;
/** Bytes that have to be free besides the copy. */
const SPARE = 64 * MEGABYTE;
/** Bytes from which on progress is reported. */
const LARGE = 100 * MEGABYTE;

export interface Backup {
  /** folder of the world, without links */
  world: string;
  /** folder of the copy; it is missing yet */
  target: string;
  /** free bytes on that disk; undefined: not known */
  free: number | undefined;
  /** takes one line of progress */
  report(line: string): void;
}

interface WorldFile {
  /** relative to the world's folder */
  name: string;
  /** undefined: a folder */
  bytes: number | undefined;
  /** time of the last change, in milliseconds */
  changed: number;
}

/** Folder for a copy of a world, with the time in its name. */
export const backupFolder = (root: string, levelName: string, ms: number): string => {
  const time = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium" }).format(ms);
  return join(root, FOLDER, `${levelName}-${time.replace(/\D+/g, "-")}`);
};

/**
 * Copies a world and compares the copy byte for byte. Leaves nothing when it fails; throws `Refusal`, or the system's error.
 * @param stopped throws when the server runs
 */
export function backUp({ world, target, free, report }: Backup, assertStopped: () => void): void {
  const worldFiles = worldFilesIn(world);
  const total = worldFiles.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
  if (free !== undefined && free < total + SPARE)
    throw new Refusal(
      `${dirname(target)}: a copy of the world needs ${formatSize(total + SPARE)}, but only ${formatSize(free)} are free: free some space, or copy ${world} elsewhere and run setup without --backup`,
    );
  if (lstatSync(target, { throwIfNoEntry: false }))
    throw new Refusal(`${target}: already exists: run setup again`);
  const folder = dirname(target);
  const draft = draftPath(target);
  const isNew = mkdirSync(folder, { recursive: true }) !== undefined;
  if (isNew) giveToFolderOwner(folder);
  try {
    for (const name of readdirSync(folder))
      if (name.endsWith(draftPath(""))) rmSync(join(folder, name), { recursive: true });
    copyAll(worldFiles, world, draft, progress("copied", total, report));
    const compared = progress("compared", total, report);
    for (const { name, bytes } of worldFiles)
      if (bytes !== undefined && !isSameFile(join(world, name), join(draft, name), compared))
        throw new Refusal(`${join(target, name)}: differs from the original: check that disk`);
    if (JSON.stringify(worldFilesIn(world)) !== JSON.stringify(worldFiles))
      throw new Refusal(`${world}: was changed while it was copied: stop the server and run setup again`);
    assertStopped();
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Someone else may have put something there in the meantime.
    if (isNew && readdirSync(folder).length === 0) rmdirSync(folder);
    throw error;
  }
  flush(folder);
  const files = worldFiles.filter(({ bytes }) => bytes !== undefined).length;
  report(`backup: ${target} (${files} files, ${formatSize(total)}), verified`);
}

/** All files and folders of a world, each folder before its content. */
function worldFilesIn(world: string, below = ""): WorldFile[] {
  return readdirSync(join(world, below))
    .sort()
    .flatMap(each => {
      const name = join(below, each);
      const found = lstatSync(join(world, name));
      if (found.isDirectory()) return [{ name, bytes: undefined, changed: 0 }, ...worldFilesIn(world, name)];
      if (found.isFile()) return [{ name, bytes: found.size, changed: found.mtimeMs }];
      throw new Refusal(
        `${join(world, name)}: is neither a file nor a folder and cannot be copied: remove it from the world`,
      );
    });
}

function copyAll(
  worldFiles: readonly WorldFile[],
  world: string,
  to: string,
  done: (bytes: number) => void,
): void {
  const makeFolder = (from: string, path: string): void => {
    mkdirSync(path, { mode: lstatSync(from).mode });
    giveToFolderOwner(path);
  };
  makeFolder(world, to);
  for (const { name, bytes } of worldFiles) {
    const [from, path] = [join(world, name), join(to, name)];
    if (bytes === undefined) makeFolder(from, path);
    else {
      copyFileSync(from, path, constants.COPYFILE_EXCL);
      giveToFolderOwner(path);
      flush(path);
      done(bytes);
    }
  }
  for (const { name, bytes } of worldFiles) if (bytes === undefined) flush(join(to, name));
  flush(to);
}

function isSameFile(one: string, other: string, done: (bytes: number) => void): boolean {
  const handles = [openSync(one, "r"), openSync(other, "r")] as const;
  const [left, right] = [Buffer.allocUnsafe(CHUNK), Buffer.allocUnsafe(CHUNK)];
  try {
    for (;;) {
      const [got, has] = [readSync(handles[0], left), readSync(handles[1], right)];
      if (got !== has || !left.subarray(0, got).equals(right.subarray(0, has))) return false;
      if (got === 0) return true;
      done(got);
    }
  } finally {
    for (const handle of handles) closeSync(handle);
  }
}

/** Reports each tenth of a large copy. */
function progress(what: string, total: number, report: (line: string) => void): (bytes: number) => void {
  let [done, reported] = [0, 0];
  return bytes => {
    done += bytes;
    const tenth = Math.floor((done * 10) / total);
    if (total < LARGE || tenth <= reported) return;
    reported = tenth;
    report(`backup: ${tenth * 10} % of ${formatSize(total)} ${what}`);
  };
}

const formatSize = (bytes: number): string =>
  bytes < MEGABYTE ? `${Math.ceil(bytes / 1024)} KB` : `${Math.ceil(bytes / MEGABYTE)} MB`;

import { createHash } from "node:crypto";
import { closeSync, fstatSync, readSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { orElse } from "../../cli/errno.ts";
import { MOST_NAMES } from "../bds/bounds.ts";
import { draftOf } from "./apply.ts";
import { Refusal } from "./change.ts";
import type { Disk } from "./disk.ts";

/** Folder of the copies, below the server's: whatever lies outside `worlds` is no world to a server. */
const FOLDER = "backups";
const FOLDER_MODE = 0o755;
/** Bytes that are read at once: what a copy needs of memory. */
const PIECE = 1024 * 1024;
const MEGABYTE = 1024 * 1024;
/** Bytes that are to be free besides the copy. */
const SPARE = 64 * MEGABYTE;
/** Bytes from which on it is told how far the copy is. */
const LARGE = 100 * MEGABYTE;

/** What a copy of a world goes by. */
export interface Backing {
  /** folder of the world, without links */
  world: string;
  /** where the copy goes; nothing is there yet */
  target: string;
  /** bytes that may still be written there; undefined: not known */
  free: number | undefined;
  /** is told how far it is, one line at a time */
  tell(line: string): void;
}

/** One thing in a world. */
interface Piece {
  /** from the world's folder on */
  name: string;
  /** undefined: a folder */
  bytes: number | undefined;
  /** when it was changed last, in milliseconds */
  changed: number;
  mode: number;
}

/** Where the copy of a world goes, with a time in its name. */
export const backupFolder = (root: string, levelName: string, ms: number): string => {
  const time = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium" }).format(ms);
  return join(root, FOLDER, `${levelName}-${time.replace(/\D+/g, "-")}`);
};

/**
 * Copies a world beside the worlds, and compares the copy with it byte for byte. Nothing is left when it cannot be done;
 * throws `Refusal`, or the system's error.
 * @param settled called when the copy is whole; may throw
 */
export function backUp(backing: Backing, disk: Disk, settled: () => void): void {
  const { world, target, free, tell } = backing;
  const pieces = piecesOf(world, disk);
  const total = pieces.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
  if (free !== undefined && free < total + SPARE)
    throw new Refusal(
      `${dirname(target)}: a copy of the world needs ${shown(total + SPARE)}, and ${shown(free)} are free: make room, or copy ${world} elsewhere and run setup without --backup`,
    );
  if (disk.kindOf(target) !== undefined) throw new Refusal(`${target}: is there already: run setup again`);
  const folder = dirname(target);
  const draft = draftOf(target);
  const isNew = disk.kindOf(folder) === undefined;
  try {
    if (isNew) disk.makeFolder(folder, FOLDER_MODE);
    for (const name of disk.list(folder))
      if (name.endsWith(draftOf(""))) removeTree(join(folder, name), disk);
    disk.makeFolder(draft, disk.modeOf(world) ?? FOLDER_MODE);
    const copied = progress("copied", total, tell);
    const hashes = pieces.map(({ name, bytes, mode }) => {
      if (bytes !== undefined) return copy(join(world, name), join(draft, name), mode, disk, copied);
      disk.makeFolder(join(draft, name), mode);
      return "";
    });
    const compared = progress("compared", total, tell);
    for (const [place, { name, bytes }] of pieces.entries())
      if (bytes !== undefined && hashIn(join(draft, name), disk, compared) !== hashes[place])
        throw new Refusal(`${join(target, name)}: is not what was copied: look after that disk`);
    if (JSON.stringify(piecesOf(world, disk)) !== JSON.stringify(pieces))
      throw new Refusal(`${world}: was changed while it was copied: stop the server and run setup again`);
    settled();
    for (const { name, bytes } of pieces) if (bytes === undefined) disk.flush(join(draft, name));
    disk.flush(draft);
    disk.rename(draft, target);
  } catch (error) {
    orElse(() => removeTree(draft, disk), undefined);
    if (isNew) orElse(() => disk.removeFolder(folder), undefined);
    throw error;
  }
  const files = pieces.filter(({ bytes }) => bytes !== undefined).length;
  tell(`backup: ${target} (${files} files, ${shown(total)}), the same as the world`);
  disk.flush(folder);
}

/** Everything in a world, each folder before what is in it. */
function piecesOf(world: string, disk: Disk, below = ""): Piece[] {
  return disk
    .list(join(world, below), MOST_NAMES.large)
    .sort()
    .flatMap(each => {
      const name = join(below, each);
      const path = join(world, name);
      const kind = disk.kindOf(path);
      if (kind === undefined || disk.target(path) !== path)
        throw new Refusal(`${path}: is no file or folder, which cannot be copied: take it out of the world`);
      const mode = disk.modeOf(path) ?? FOLDER_MODE;
      if (kind === "folder")
        return [{ name, bytes: undefined, changed: 0, mode }, ...piecesOf(world, disk, name)];
      return reading(path, disk, handle => {
        const { size, mtimeMs } = fstatSync(handle);
        return [{ name, bytes: size, changed: mtimeMs, mode }];
      });
    });
}

function reading<T>(path: string, disk: Disk, act: (handle: number) => T): T {
  const handle = disk.open(path);
  try {
    return act(handle);
  } finally {
    closeSync(handle);
  }
}

/** Copies a file; its hash. */
function copy(from: string, to: string, mode: number, disk: Disk, done: (bytes: number) => void): string {
  const hash = createHash("sha256");
  reading(from, disk, source =>
    disk.createBy(to, mode, handle =>
      inPieces(source, piece => {
        for (let at = 0; at < piece.length; ) at += writeSync(handle, piece, at);
        hash.update(piece);
        done(piece.length);
      }),
    ),
  );
  return hash.digest("hex");
}

function hashIn(path: string, disk: Disk, done: (bytes: number) => void): string {
  const hash = createHash("sha256");
  reading(path, disk, handle =>
    inPieces(handle, piece => {
      hash.update(piece);
      done(piece.length);
    }),
  );
  return hash.digest("hex");
}

function inPieces(handle: number, take: (piece: Uint8Array) => void): void {
  const room = new Uint8Array(PIECE);
  for (let got = readSync(handle, room); got > 0; got = readSync(handle, room)) take(room.subarray(0, got));
}

/** Tells each tenth of a large copy. */
function progress(what: string, total: number, tell: (line: string) => void): (bytes: number) => void {
  let [done, told] = [0, 0];
  return bytes => {
    done += bytes;
    const tenth = Math.floor((done * 10) / total);
    if (total < LARGE || tenth <= told) return;
    told = tenth;
    tell(`backup: ${tenth * 10} % of ${shown(total)} ${what}`);
  };
}

/** Removes what a copy has made; a folder of another name is not touched. */
function removeTree(folder: string, disk: Disk): void {
  if (!basename(folder).endsWith(draftOf(""))) return;
  const remove = (at: string): void => {
    for (const name of disk.list(at, MOST_NAMES.large)) {
      const path = join(at, name);
      if (disk.kindOf(path) === "folder" && disk.target(path) === path) remove(path);
      else disk.remove(path);
    }
    disk.removeFolder(at);
  };
  if (disk.kindOf(folder) === "folder") remove(folder);
}

const shown = (bytes: number): string =>
  bytes < MEGABYTE ? `${Math.ceil(bytes / 1024)} KB` : `${Math.ceil(bytes / MEGABYTE)} MB`;

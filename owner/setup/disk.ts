import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isErrno, orElse } from "../../cli/errno.ts";
import { type Area, filesIn, through } from "../bds/area.ts";
import type { Files } from "../bds/files.ts";
import { asRoot, isRoot, type Owner } from "../bds/owner.ts";
import { systemFiles } from "../bds/system.ts";
import { lookAt } from "../bds/way.ts";

/** What setup does to a file system. Every member throws the system's error when it cannot. */
export interface Disk extends Files {
  /** permission bits of a file or folder; undefined: nothing is there */
  modeOf(path: string): number | undefined;
  /** the path that symbolic links lead to; the same path when nothing is there */
  target(path: string): string;
  /** whether files can be made and replaced in a folder, as far as the system tells without trying */
  takesFiles(folder: string): boolean;
  /** makes one folder; its parent has to be there */
  makeFolder(path: string, mode: number): void;
  /** removes a folder; false when something is in it or it is not there */
  removeFolder(path: string): boolean;
  /**
   * Makes a file, which must not be there, and waits until it is on the disk.
   * @param inPlaceOf the file beside it that it will replace, whose owner it gets where this user may decide that
   */
  create(path: string, bytes: Uint8Array, mode: number, inPlaceOf?: string): void;
  /**
   * Makes a file as `create` does, of what is written to its handle.
   * @param write has to write all of it before it returns
   */
  createBy(path: string, mode: number, write: (handle: number) => void, inPlaceOf?: string): void;
  /** opens a file for reading; the handle has to be closed */
  open(path: string): number;
  /** within one folder */
  rename(from: string, to: string): void;
  /** gives a file a second name in its folder; throws EEXIST when something has that name */
  link(from: string, to: string): void;
  /** removes a file; one that is missing is fine */
  remove(path: string): void;
  /** waits until the names in a folder are on the disk */
  flush(folder: string): void;
}

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
/** Windows has no links to beware of at the end of a path that must not be there. */
const NEW_FILE = O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0);
/** A pipe is not waited for. Windows has neither flag. */
const A_FILE = O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);
const A_FOLDER = O_RDONLY | (O_DIRECTORY ?? 0) | (O_NOFOLLOW ?? 0);
/** Permission bits that a file may be given: none that lend the rights of its owner. */
const PERMISSIONS = 0o777;
const PRIVATE = 0o600;

export const systemDisk: Disk = {
  ...systemFiles,
  modeOf: path => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found && found.mode & 0o7777;
  },
  target: path => {
    try {
      return realpathSync(path);
    } catch (error) {
      if (!isErrno(error, "ENOENT", "ENOTDIR") || isLink(path)) throw error;
      return path;
    }
  },
  takesFiles: folder => orElse(() => accessSync(folder, constants.W_OK) === undefined, false),
  makeFolder: (path, mode) => {
    mkdirSync(path, { mode: mode & PERMISSIONS });
    if (process.getuid?.() !== 0) return;
    const handle = openSync(path, A_FOLDER);
    try {
      giveToOwner(handle, statSync(dirname(path)));
    } finally {
      closeSync(handle);
    }
  },
  removeFolder: path => {
    try {
      rmdirSync(path);
      return true;
    } catch (error) {
      if (isErrno(error, "ENOENT", "ENOTEMPTY", "EEXIST")) return false;
      throw error;
    }
  },
  create: (path, bytes, mode, inPlaceOf) => {
    const write = (handle: number): void => {
      for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
    };
    systemDisk.createBy(path, mode, write, inPlaceOf);
  },
  createBy: (path, mode, write, inPlaceOf) => {
    const handle = openSync(path, NEW_FILE, PRIVATE);
    try {
      write(handle);
      const replaced = inPlaceOf === undefined ? undefined : lstatSync(inPlaceOf, { throwIfNoEntry: false });
      giveToOwner(handle, replaced ?? statSync(dirname(path)));
      fchmodSync(handle, mode & PERMISSIONS);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  },
  open: path => openSync(path, A_FILE),
  rename: renameSync,
  link: (from, to) => {
    try {
      linkSync(from, to);
    } catch (error) {
      if (isErrno(error, "EEXIST")) throw error;
      // Not every file system has links.
      systemDisk.create(to, systemFiles.read(from) ?? new Uint8Array(), PRIVATE);
    }
  },
  remove: path => rmSync(path, { force: true }),
  flush: folder => {
    // Windows has no such thing.
    if (process.platform === "win32") return;
    const handle = openSync(folder, A_FOLDER);
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  },
};

const isLink = (path: string): boolean => lookAt(path)?.isSymbolicLink() ?? false;

/**
 * Gives what was just made to the owner of its folder, or of the file it replaces: others have to read it. By its
 * handle, since another thing may have its path by now.
 */
function giveToOwner(handle: number, { uid, gid }: Owner): void {
  if (process.getuid?.() !== 0) return;
  const now = fstatSync(handle);
  if (uid === now.uid && gid === now.gid) return;
  if (isRoot()) fchownSync(handle, uid, gid);
  // Whoever root acts as keeps the group of a file that is his already, though he may not be in it.
  else if (uid === now.uid) asRoot(() => fchownSync(handle, uid, gid));
}

/** A disk of which what lies in an area is reached through it, and the rest as `others` has it. */
export function diskIn(area: Area, disk: Disk, others = disk): Disk {
  const { has, at } = area;
  const its = through(area, disk, others);
  /** another name beside a path, as the system is to be asked for it */
  const beside = (path: string, other: string): string => join(dirname(path), basename(other));
  return {
    ...filesIn(area, disk, others),
    modeOf: its(by => by.modeOf),
    target: path => {
      if (!has(path)) return others.target(path);
      const { real, kind } = at(path, (found, full) => ({ real: full, kind: disk.kindOf(found) }));
      if (kind === undefined && at(path, isLink, "itself"))
        throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT", path });
      return real;
    },
    takesFiles: its(by => by.takesFiles),
    makeFolder: its(by => by.makeFolder, "itself"),
    removeFolder: its(by => by.removeFolder, "itself"),
    create: its(
      by => (path, bytes: Uint8Array, mode: number, other?: string) =>
        by.create(path, bytes, mode, other && beside(path, other)),
      "itself",
    ),
    createBy: its(
      by => (path, mode: number, write: (handle: number) => void, other?: string) =>
        by.createBy(path, mode, write, other && beside(path, other)),
      "itself",
    ),
    open: its(by => by.open, "itself"),
    rename: its(by => (path, to: string) => by.rename(path, beside(path, to)), "itself"),
    link: its(by => (path, to: string) => by.link(path, beside(path, to)), "itself"),
    remove: its(by => by.remove, "itself"),
    flush: its(by => by.flush),
  };
}

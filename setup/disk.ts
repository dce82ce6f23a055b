import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
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
import { dirname } from "node:path";
import type { Files } from "../bds/folder.ts";
import { systemFiles } from "../bds/system.ts";
import { isErrno } from "../cli/errno.ts";

/** What setup does to a file system. Every member throws the system's error when it cannot. */
export interface Disk extends Files {
  /** permission bits of a file or folder; undefined: nothing is there */
  modeOf(path: string): number | undefined;
  /** the path that symbolic links lead to; the same path when nothing is there */
  target(path: string): string;
  /** makes one folder; its parent has to be there */
  makeFolder(path: string, mode: number): void;
  /** removes a folder; false when something is in it or it is not there */
  removeFolder(path: string): boolean;
  /**
   * Makes a file, which must not be there, and waits until it is on the disk.
   * @param inPlaceOf the file that it will replace, whose owner it gets where this user may decide that
   */
  create(path: string, bytes: Uint8Array, mode: number, inPlaceOf?: string): void;
  rename(from: string, to: string): void;
  /** gives a file a second name; throws EEXIST when something has that name */
  link(from: string, to: string): void;
  /** removes a file; one that is missing is fine */
  remove(path: string): void;
  /** waits until the names in a folder are on the disk */
  flush(folder: string): void;
}

export const systemDisk: Disk = {
  ...systemFiles,
  modeOf: path => {
    try {
      return statSync(path).mode & 0o7777;
    } catch (error) {
      if (isErrno(error, "ENOENT", "ENOTDIR")) return undefined;
      throw error;
    }
  },
  target: path => {
    try {
      return realpathSync(path);
    } catch (error) {
      if (!isErrno(error, "ENOENT", "ENOTDIR") || isLink(path)) throw error;
      return path;
    }
  },
  makeFolder: (path, mode) => {
    mkdirSync(path, { mode });
    giveToOwner(path);
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
    const handle = openSync(path, "wx", mode);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    giveToOwner(path, inPlaceOf);
    // What was asked for in opening it is cut by the umask.
    chmodSync(path, mode);
  },
  rename: renameSync,
  link: (from, to) => {
    try {
      linkSync(from, to);
    } catch (error) {
      if (isErrno(error, "EEXIST")) throw error;
      // Not every file system has links.
      copyFileSync(from, to, constants.COPYFILE_EXCL);
    }
  },
  remove: path => rmSync(path, { force: true }),
  flush: folder => {
    // Windows has no such thing.
    if (process.platform === "win32") return;
    const handle = openSync(folder, "r");
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  },
};

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Gives what root has made to the owner of its folder, or of the file it replaces: others have to read it. */
export function giveToOwner(path: string, inPlaceOf: string = path): void {
  if (process.getuid?.() !== 0) return;
  const like = statSync(inPlaceOf === path ? dirname(path) : inPlaceOf, { throwIfNoEntry: false });
  const { uid, gid } = like ?? statSync(dirname(path));
  if (uid !== 0 || gid !== 0) chownSync(path, uid, gid);
}

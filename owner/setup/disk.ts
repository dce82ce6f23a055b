import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import type { Files } from "../../bds/files.ts";
import { filesIn, staysIn } from "../../bds/safe-paths.ts";
import { systemFiles } from "../../bds/system.ts";
import { giveToFolderOwner, isRoot } from "../../bds/users.ts";
import { isErrno, orElse } from "../../cli/errno.ts";

/** Write access to a file system. Each method throws the system's error, such as EACCES. */
export interface Disk extends Files {
  /** permission bits of a file or folder; undefined: it is missing */
  modeOf(path: string): number | undefined;
  /** the path without symbolic links; a missing path stays as it is */
  realPath(path: string): string;
  /** whether files can be made and replaced in a folder, as far as the system reports without trying */
  takesFiles(folder: string): boolean;
  /** makes one folder, by default with mode 755; its parent has to exist */
  makeFolder(path: string, mode?: number): void;
  /** removes an empty folder; others stay */
  removeFolder(path: string): void;
  /**
   * Writes a file atomically, and waits until it is on the disk: a killed process leaves the old file or the new one. Root
   * keeps the file's owner, and gives a new file to the owner of its folder.
   */
  write(path: string, bytes: Uint8Array, mode: number): void;
  /** removes a file, which may be missing */
  remove(path: string): void;
}

/** Name of a file while it is written. Only one setup runs at a time. */
export const draftPath = (path: string): string => `${path}.web-bridge-tmp`;

/** Permission bits without those that run a program as its owner. */
const PERMISSIONS = 0o777;

export const systemDisk: Disk = {
  ...systemFiles,
  modeOf: path => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found && found.mode & 0o7777;
  },
  realPath: path => {
    try {
      return realpathSync(path);
    } catch (error) {
      const isLink = orElse(() => lstatSync(path).isSymbolicLink(), false);
      if (!isErrno(error, "ENOENT", "ENOTDIR") || isLink) throw error;
      return path;
    }
  },
  takesFiles: folder => orElse(() => accessSync(folder, constants.W_OK) === undefined, false),
  makeFolder: (path, mode = 0o755) => {
    mkdirSync(path, { mode });
    giveToFolderOwner(path);
  },
  removeFolder: path => {
    try {
      rmdirSync(path);
    } catch (error) {
      if (!isErrno(error, "ENOENT", "ENOTEMPTY", "EEXIST")) throw error;
    }
  },
  write: (path, bytes, mode) => {
    const draft = draftPath(path);
    try {
      writeDraft(draft, path, bytes, mode);
      renameSync(draft, path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
    flush(dirname(path));
  },
  remove: path => rmSync(path, { force: true }),
};

function writeDraft(draft: string, path: string, bytes: Uint8Array, mode: number): void {
  rmSync(draft, { force: true });
  const handle = openSync(draft, "wx", 0o600);
  try {
    writeFileSync(handle, bytes);
    if (isRoot()) {
      const { uid, gid } = statSync(path, { throwIfNoEntry: false }) ?? statSync(dirname(path));
      fchownSync(handle, uid, gid);
    }
    fchmodSync(handle, mode & PERMISSIONS);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Waits until a file, or the names in a folder, are on the disk. Windows has no call for that. */
export function flush(path: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * A disk that rejects paths that lead out of a folder through a link.
 * @param root the folder, without links
 */
export function diskIn(root: string, disk: Disk): Disk {
  const stays = staysIn(root);
  return {
    ...filesIn(root, disk),
    modeOf: stays(disk.modeOf),
    realPath: stays(disk.realPath),
    takesFiles: stays(disk.takesFiles),
    makeFolder: stays(disk.makeFolder),
    removeFolder: stays(disk.removeFolder),
    write: stays(disk.write),
    remove: stays(disk.remove),
  };
}

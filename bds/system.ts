import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  statfsSync,
  statSync,
} from "node:fs";
import { networkInterfaces } from "node:os";
import { dirname } from "node:path";
import { isErrno, orElse } from "../cli/errno.ts";
import { type Files, UnusableFile } from "./files.ts";
import type { ProcessTable } from "./running-servers.ts";

/** Largest file that is read, in MiB: settings, lists and files of packs are far smaller. */
const MAX_FILE_MIB = 4;

/** The result; undefined where the path does not exist. */
function ifThere<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR", "ENAMETOOLONG")) return undefined;
    throw error;
  }
}

/** The bytes of a regular file. Does not wait for a pipe. */
function readRegular(path: string): Uint8Array {
  // Windows has no such flag, and no pipes among files.
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(handle);
    if (found.isDirectory())
      throw Object.assign(new Error(`EISDIR: ${path} is a folder, expected a file`), {
        code: "EISDIR",
        path,
      });
    if (!found.isFile()) throw new UnusableFile(`${path}: is a pipe or a device, expected a file`);
    if (found.size > MAX_FILE_MIB * 2 ** 20)
      throw new UnusableFile(`${path}: is larger than ${MAX_FILE_MIB} MiB`);
    const bytes = new Uint8Array(found.size);
    let length = 0;
    for (let got = -1; got !== 0 && length < bytes.length; length += got)
      got = readSync(handle, bytes, length, bytes.length - length, null);
    return bytes.subarray(0, length);
  } finally {
    closeSync(handle);
  }
}

/** Free bytes on the disk of a folder, or of the nearest one above it; undefined: not known. */
export const freeBytes = (folder: string): number | undefined =>
  orElse(() => {
    const { bavail, bsize } = statfsSync(nearestFolder(folder));
    return bavail * bsize;
  }, undefined);

/** The folder, or the nearest one above it that exists. */
export const nearestFolder = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));

export const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap(all => (all ?? []).map(({ address }) => address));

export const systemFiles: Files = {
  kindOf: path => {
    const found = ifThere(() => statSync(path));
    if (found?.isDirectory()) return "folder";
    return found?.isFile() ? "file" : undefined;
  },
  read: path => ifThere(() => readRegular(path)),
  list: path => ifThere(() => readdirSync(path).sort()) ?? [],
};

export const systemProcesses: ProcessTable = {
  platform: process.platform,
  locks: () => orElse(() => readFileSync("/proc/locks", "utf8").split("\n"), []),
  pids: () =>
    orElse(
      () =>
        readdirSync("/proc")
          .filter(name => /^\d+$/.test(name))
          .map(Number),
      [],
    ),
  linkOf: (pid, what) => orElse(() => readlinkSync(`/proc/${pid}/${what}`), undefined),
  realPath: path => orElse(() => realpathSync(path), path),
  identityOf: path =>
    ifThere(() => {
      const { dev, ino } = statSync(path, { bigint: true });
      return { device: dev, inode: ino };
    }),
  opens: path => {
    try {
      closeSync(openSync(path, "r+"));
      return true;
    } catch (error) {
      return isErrno(error, "ENOENT", "ENOTDIR");
    }
  },
};

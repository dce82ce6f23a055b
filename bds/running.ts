import { join } from "node:path";
import { isProgram, type ServerFolder } from "./folder.ts";

/** What the system tells of processes and locks. Nothing is undefined where it may not be known. */
export interface SystemSigns {
  platform: string;
  /** the lines of /proc/locks */
  locks(): string[];
  /** numbers of the running processes */
  pids(): number[];
  /** where `cwd` or `exe` of a process leads */
  linkOf(pid: number, what: "cwd" | "exe"): string | undefined;
  /** a path without symbolic links */
  realPath(path: string): string;
  /** device and inode of a file; undefined when it is missing */
  identityOf(path: string): { device: bigint; inode: bigint } | undefined;
  /** whether a file can be opened for writing; a missing one can */
  opens(path: string): boolean;
}

/** A sign that a server has the world open. */
export interface Running {
  pid: number | undefined;
}

/**
 * Whether a server runs in a folder or holds its world. When in doubt it does: changing files under a running server
 * loses them.
 */
export function findRunning(
  server: Pick<ServerFolder, "root" | "world">,
  signs: SystemSigns,
): Running | undefined {
  if (signs.platform === "win32") return signs.opens(server.world.lock) ? undefined : { pid: undefined };
  return lockHolder(server.world.lock, signs) ?? processIn(server.root, signs);
}

/** `1: POSIX  ADVISORY  WRITE 4711 08:01:131 0 EOF` */
const LOCK_LINE = /\b(?:POSIX|FLOCK|OFDLCK)\s+\S+\s+\S+\s+(-?\d+)\s+([0-9a-f]+):([0-9a-f]+):(\d+)\s/;

function lockHolder(path: string, signs: SystemSigns): Running | undefined {
  const file = signs.identityOf(path);
  if (file === undefined) return undefined;
  const major = Number((file.device >> 8n) & 0xfffn);
  const minor = Number((file.device & 0xffn) | ((file.device >> 12n) & 0xfff00n));
  for (const line of signs.locks()) {
    const [, pid, lineMajor = "", lineMinor = "", inode] = LOCK_LINE.exec(line) ?? [];
    if (inode === undefined || BigInt(inode) !== file.inode) continue;
    const [otherMajor, otherMinor] = [Number.parseInt(lineMajor, 16), Number.parseInt(lineMinor, 16)];
    // File systems without a device of their own, such as those of containers, show another one here.
    const isSame = (otherMajor === major && otherMinor === minor) || otherMajor === 0 || major === 0;
    if (isSame) return { pid: Number(pid) > 0 ? Number(pid) : undefined };
  }
  return undefined;
}

function processIn(root: string, signs: SystemSigns): Running | undefined {
  const folder = signs.realPath(root);
  const pid = signs.pids().find(each => {
    const exe = signs.linkOf(each, "exe");
    if (exe === undefined || !isProgram(exe)) return false;
    return signs.linkOf(each, "cwd") === folder || join(exe, "..") === folder;
  });
  return pid === undefined ? undefined : { pid };
}

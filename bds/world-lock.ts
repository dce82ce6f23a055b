import { join } from "node:path";

export interface FileLocks {
  /** the lines of /proc/locks */
  locks(): string[];
  /** device and inode of a file; undefined when it is missing */
  identityOf(path: string): { device: bigint; inode: bigint } | undefined;
}

/** The file that a server locks while it has a world open. */
export const lockOf = (world: string): string => join(world, "db", "LOCK");

/** `1: POSIX  ADVISORY  WRITE 4711 08:01:131 0 EOF` */
const LOCK_LINE = /\b(?:POSIX|FLOCK|OFDLCK)\s+\S+\s+\S+\s+(-?\d+)\s+([0-9a-f]+):([0-9a-f]+):(\d+)\s/;

/** The process that holds the lock on a file; undefined: none, or unknown. */
export function lockHolder(path: string, processes: FileLocks): { pid: number | undefined } | undefined {
  const file = processes.identityOf(path);
  if (file === undefined) return undefined;
  const major = Number((file.device >> 8n) & 0xfffn);
  const minor = Number((file.device & 0xffn) | ((file.device >> 12n) & 0xfff00n));
  for (const line of processes.locks()) {
    const [, pid, lineMajor = "", lineMinor = "", inode] = LOCK_LINE.exec(line) ?? [];
    if (inode === undefined || BigInt(inode) !== file.inode) continue;
    const [otherMajor, otherMinor] = [Number.parseInt(lineMajor, 16), Number.parseInt(lineMinor, 16)];
    // File systems without a device, such as those of containers, have another number here.
    const isSame = (otherMajor === major && otherMinor === minor) || otherMajor === 0 || major === 0;
    if (isSame) return { pid: Number(pid) > 0 ? Number(pid) : undefined };
  }
  return undefined;
}

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { isErrno } from "../../cli/errno.ts";
import { Refusal } from "./change.ts";
import type { Disk } from "./disk.ts";

/** Whether a process is there. One of another user is. */
export type IsAlive = (pid: number) => boolean;

const isAlive: IsAlive = pid => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !isErrno(error, "ESRCH");
  }
};

/**
 * Keeps every other setup away from a folder, which is made, until the result is called, which removes it again if
 * nothing else is in it. The lock of a setup that was killed is taken over. Throws `Refusal` when another one is at
 * work.
 */
export function takeLock(folder: string, disk: Disk, alive: IsAlive = isAlive): () => void {
  try {
    const path = lockIn(folder, disk, alive);
    return () => {
      disk.remove(path);
      disk.removeFolder(folder);
    };
  } catch (error) {
    disk.removeFolder(folder);
    // The one that had the lock has removed the folder as its last act.
    if (isErrno(error, "ENOENT"))
      throw new Refusal("another setup was at work in this folder: run setup again");
    throw error;
  }
}

/** Throws `Refusal` while another setup is at work in a folder. */
export function refuseWhileLocked(folder: string, disk: Disk, alive: IsAlive = isAlive): void {
  holderOf(lockOf(folder), disk, alive);
}

const lockOf = (folder: string): string => join(folder, "lock");

/** What a lock says whose setup was killed, empty when there is none. Throws `Refusal` while that setup is at work. */
function holderOf(path: string, disk: Disk, alive: IsAlive): string {
  const holder = read(path, disk);
  const pid = Number.parseInt(holder, 10);
  if (holder !== "" && (Number.isNaN(pid) || alive(pid))) refuse(path, holder);
  return holder;
}

function lockIn(folder: string, disk: Disk, alive: IsAlive): string {
  makeFolder(folder, disk);
  const path = lockOf(folder);
  const mine = Buffer.from(`${process.pid} ${randomUUID()}\n`);
  if (placed(path, mine, disk)) return path;
  const holder = holderOf(path, disk, alive);
  if (holder !== "") removeStale(path, holder, disk);
  if (!placed(path, mine, disk)) refuse(path, read(path, disk));
  return path;
}

function makeFolder(folder: string, disk: Disk): void {
  if (disk.kindOf(folder) !== undefined) return;
  try {
    disk.makeFolder(folder, 0o700);
  } catch (error) {
    if (!isErrno(error, "EEXIST")) throw error;
  }
}

function refuse(path: string, holder: string): never {
  const pid = Number.parseInt(holder, 10);
  const who = Number.isNaN(pid) ? "" : ` (process ${pid})`;
  throw new Refusal(
    `another setup is at work in this folder${who}: wait until it is done; if there is none, delete ${path}`,
  );
}

/** The lock appears with its content in it, so nobody takes one that is being written for one that was left. */
function placed(path: string, content: Uint8Array, disk: Disk): boolean {
  const draft = `${path}.${randomUUID()}`;
  try {
    disk.create(draft, content, 0o600);
    disk.link(draft, path);
    return true;
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false;
    throw error;
  } finally {
    disk.remove(draft);
  }
}

/** Two setups may see the same stale lock: only the one that moves that very lock away may go on. */
function removeStale(path: string, holder: string, disk: Disk): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    disk.rename(path, aside);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return;
    throw error;
  }
  if (read(aside, disk) === holder) {
    disk.remove(aside);
    return;
  }
  disk.rename(aside, path);
  refuse(path, read(path, disk));
}

const read = (path: string, disk: Disk): string => Buffer.from(disk.read(path) ?? []).toString("utf8");

import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { giveToFolderOwner } from "../../bds/users.ts";
import { isErrno } from "../../cli/errno.ts";
import { Refusal } from "./change.ts";
import type { Disk } from "./disk.ts";

/** Whether a process exists, that of another user included. */
export type IsAlive = (pid: number) => boolean;

const isAlive: IsAlive = pid => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !isErrno(error, "ESRCH");
  }
};

/** Maximum age of an empty lock, in milliseconds. An older one was left by a setup that ran out of disk space. */
const FILLED_MS = 10_000;

/**
 * Throws `Refusal` when another setup runs in the folder.
 * @returns the content of a lock that was left behind
 */
function checkLock(path: string, disk: Disk, alive: IsAlive): string | undefined {
  const bytes = disk.read(path);
  if (bytes === undefined) return undefined;
  const content = Buffer.from(bytes).toString("utf8");
  const pid = Number.parseInt(content, 10);
  // In a container every setup is process 1: an earlier process with this number has ended.
  const isAtWork =
    content === ""
      ? statSync(path).mtimeMs > Date.now() - FILLED_MS
      : Number.isNaN(pid) || (pid !== process.pid && alive(pid));
  if (isAtWork) refuse(path, pid);
  return content;
}

/** Retries after a refusal, since another setup may be running. Throws `Refusal` while it runs. */
export function lookTwice<T>(look: () => T, folder: string, disk: Disk, alive: IsAlive = isAlive): T {
  try {
    return look();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    checkLock(join(folder, "lock"), disk, alive);
    return look();
  }
}

/**
 * Creates a folder and locks it against other setups. The result unlocks it, and removes the folder if it is empty. A lock
 * that was left behind is taken over. Throws `Refusal` when another setup runs.
 */
export function takeLock(folder: string, disk: Disk, alive: IsAlive = isAlive): () => void {
  const path = join(folder, "lock");
  const left = checkLock(path, disk, alive);
  try {
    if (disk.kindOf(folder) === undefined) disk.makeFolder(folder, 0o700);
    if (left !== undefined) takeAway(path, left, disk);
    writeLock(path);
  } catch (error) {
    if (isErrno(error, "EEXIST", "ENOENT")) refuse(path);
    throw error;
  }
  return () => {
    disk.remove(path);
    disk.removeFolder(folder);
  };
}

/** Removes a stale lock; of several processes that try it one succeeds. */
function takeAway(path: string, left: string, disk: Disk): void {
  const aside = `${path}.${process.pid}`;
  renameSync(path, aside);
  const isIt = Buffer.from(disk.read(aside) ?? []).toString("utf8") === left;
  if (!isIt) {
    renameSync(aside, path);
    refuse(path);
  }
  disk.remove(aside);
}

function writeLock(path: string): void {
  try {
    writeFileSync(path, `${process.pid}\n`, { flag: "wx", mode: 0o600 });
  } catch (error) {
    // A full disk leaves an empty lock.
    if (!isErrno(error, "EEXIST", "ENOENT")) rmSync(path, { force: true });
    throw error;
  }
  giveToFolderOwner(path);
}

function refuse(path: string, pid = Number.NaN): never {
  const who = Number.isNaN(pid) ? "" : ` (process ${pid})`;
  throw new Refusal(
    `another setup is running in this folder${who}: wait until it is done; if there is none, delete ${path}`,
  );
}

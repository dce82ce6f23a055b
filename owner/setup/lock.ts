import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isErrno } from "../../cli/errno.ts";
import { giveToFolderOwner } from "../bds/users.ts";
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

/** Throws `Refusal` when another setup is at work in the folder. @returns whether one was, which has ended without an end */
function checkLock(path: string, disk: Disk, alive: IsAlive): boolean {
  const holder = disk.read(path);
  const pid = Number.parseInt(Buffer.from(holder ?? []).toString("utf8"), 10);
  if (holder !== undefined && (Number.isNaN(pid) || alive(pid))) refuse(path, pid);
  return holder !== undefined;
}

/** Looks at something once more where that has failed: another setup may have been half-way. Throws `Refusal` while it is. */
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
 * Keeps every other setup away from a folder, which is made, until the result is called, which removes it again if
 * nothing else is in it. The lock of a setup that was killed is taken over. Throws `Refusal` when another one is at work.
 */
export function takeLock(folder: string, disk: Disk, alive: IsAlive = isAlive): () => void {
  const path = join(folder, "lock");
  const isLeft = checkLock(path, disk, alive);
  try {
    if (disk.kindOf(folder) === undefined) disk.makeFolder(folder, 0o700);
    if (isLeft) disk.remove(path);
    writeFileSync(path, `${process.pid}\n`, { flag: "wx", mode: 0o600 });
    giveToFolderOwner(path);
  } catch (error) {
    if (isErrno(error, "EEXIST", "ENOENT")) refuse(path);
    throw error;
  }
  return () => {
    disk.remove(path);
    disk.removeFolder(folder);
  };
}

function refuse(path: string, pid = Number.NaN): never {
  const who = Number.isNaN(pid) ? "" : ` (process ${pid})`;
  throw new Refusal(
    `another setup is at work in this folder${who}: wait until it is done; if there is none, delete ${path}`,
  );
}

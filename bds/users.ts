import { lchownSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { orElse } from "../cli/errno.ts";

/** Whether this process may do everything. */
export const isRoot = (): boolean => process.geteuid?.() === 0;

/** The name of a user of this machine; undefined: none that a shell takes as it is. */
export function userName(uid: number): string | undefined {
  const users = orElse(() => readFileSync("/etc/passwd", "utf8"), "")
    .split("\n")
    .map(line => line.split(":"));
  return users.find(([name = "", , id]) => id === String(uid) && /^\w[\w.-]*$/.test(name))?.[0];
}

/** Gives what root has just made to the owner of its folder: others have to use it. For everybody else nothing happens. */
export function giveToFolderOwner(path: string): void {
  if (!isRoot()) return;
  const { uid, gid } = statSync(dirname(path));
  lchownSync(path, uid, gid);
}

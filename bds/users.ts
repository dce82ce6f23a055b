import { lchownSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { orElse } from "../cli/errno.ts";

export const isRoot = (): boolean => process.geteuid?.() === 0;

/** The name of a user of this machine; undefined: none that is safe in a shell command. */
export function userName(uid: number): string | undefined {
  const users = orElse(() => readFileSync("/etc/passwd", "utf8"), "")
    .split("\n")
    .map(line => line.split(":"));
  return users.find(([name = "", , id]) => id === String(uid) && /^\w[\w.-]*$/.test(name))?.[0];
}

/** Gives a file that root has just made to the owner of its folder. Does nothing for other users. */
export function giveToFolderOwner(path: string): void {
  if (!isRoot()) return;
  const { uid, gid } = statSync(dirname(path));
  lchownSync(path, uid, gid);
}

import { lchownSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** A user and a group that no machine has. */
export const OWNER = { uid: 4242, gid: 4243 };
export const IS_ROOT = process.getuid?.() === 0;

/** Gives a file, or a folder with everything in it, to a user. */
export function give(path: string, { uid, gid } = OWNER, isFolder = true): void {
  lchownSync(path, uid, gid);
  if (isFolder)
    for (const name of readdirSync(path, { recursive: true, encoding: "utf8" }))
      lchownSync(join(path, name), uid, gid);
}

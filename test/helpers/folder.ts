import { lchownSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach } from "@jest/globals";

/** A folder of this name, and more of it. It goes with the temporary folder of the file of tests. */
export const newFolder = (name: string): string => mkdtempSync(join(tmpdir(), name));

/** Another one for each test of a file that has asked for it. */
export let folder = "";

export const eachInFolder = (name: string): void =>
  beforeEach(() => {
    folder = newFolder(name);
  });

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

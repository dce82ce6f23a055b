import { lchownSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach } from "@jest/globals";

/** A new folder whose name starts like this. It is removed with the temporary folder of the test file. */
export const newFolder = (name: string): string => mkdtempSync(join(tmpdir(), name));

/** The end of a name with characters that addresses have to escape; Windows allows no `?` in names. */
export const ODD_NAME = process.platform === "win32" ? " #% " : " ?#% ";

/** A new folder for each test of a file that called `eachInFolder`. */
export let folder = "";

export const eachInFolder = (name: string): void =>
  beforeEach(() => {
    folder = newFolder(name);
  });

/** A user and a group that do not exist on any machine. */
export const OWNER = { uid: 4242, gid: 4243 };
export const IS_ROOT = process.getuid?.() === 0;

/** Changes the owner of a file, or of a folder and everything in it. */
export function give(path: string, { uid, gid } = OWNER, isFolder = true): void {
  lchownSync(path, uid, gid);
  if (isFolder)
    for (const name of readdirSync(path, { recursive: true, encoding: "utf8" }))
      lchownSync(join(path, name), uid, gid);
}

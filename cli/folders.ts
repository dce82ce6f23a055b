import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isErrno } from "./errno.ts";

/**
 * Makes a folder with those above it, one by one: the recursive `mkdir` of Node never returns below a folder in which nothing
 * can be made, such as `/proc`.
 * @throws the system's error, or a line that names the folder
 */
export function makeFolders(path: string): void {
  if (isFolder(path) || isMade(path)) return;
  if (dirname(path) !== path) makeFolders(dirname(path));
  if (!isMade(path)) throw new Error(`the system cannot create the folder ${path}`);
}

/** Makes one folder. False: its parent is missing. */
function isMade(path: string): boolean {
  try {
    mkdirSync(path);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return false;
    // Another process may have created it in the meantime.
    if (!isFolder(path)) throw error;
  }
  return true;
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

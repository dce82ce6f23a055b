import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isErrno } from "./errno.ts";

/**
 * Makes a folder with those above it, one by one: Node's own way never ends below one in which the system makes none, such as
 * `/proc`.
 * @throws what the system says, or a line that names the folder
 */
export function makeFolders(path: string): void {
  if (isFolder(path) || isMade(path)) return;
  if (dirname(path) !== path) makeFolders(dirname(path));
  if (!isMade(path)) throw new Error(`the system makes no folder ${path}`);
}

/** Makes one folder. False: the one above it is missing. */
function isMade(path: string): boolean {
  try {
    mkdirSync(path);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return false;
    // Another process may have made it meanwhile.
    if (!isFolder(path)) throw error;
  }
  return true;
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

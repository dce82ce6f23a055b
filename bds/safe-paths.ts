import { realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { orElse } from "../cli/errno.ts";
import { type Files, UnusableFile } from "./files.ts";

/** A path relative to a folder, empty for the folder itself; undefined: it is outside. */
export function inside(root: string, path: string): string | undefined {
  const from = relative(root, resolve(root, path));
  return from === ".." || from.startsWith(`..${sep}`) || isAbsolute(from) ? undefined : from;
}

/** The path without symbolic links; the given one where they lead nowhere. */
export const realFolder = (path: string): string => orElse(() => realpathSync(path), resolve(path));

/**
 * Throws `UnusableFile` for a path in a folder where a link leads out of it.
 * @param root the folder, without links
 */
function refuseOutside(root: string, path: string): void {
  if ((inside(root, path) ?? "") === "") return;
  refuseOutside(root, dirname(path));
  const real = orElse(() => realpathSync(path), undefined);
  if (real !== undefined && inside(root, real) === undefined)
    throw new UnusableFile(
      `${path}: leads out of ${root}: expected a file or folder in it, or a link to one`,
    );
}

/**
 * Makes functions of paths refuse those where a link leads out of a folder.
 * @param root the folder, without links
 */
export const staysIn =
  (root: string) =>
  <A extends unknown[], R>(act: (path: string, ...rest: A) => R) =>
  (path: string, ...rest: A): R => {
    refuseOutside(root, path);
    return act(path, ...rest);
  };

/**
 * Files that refuse paths where a link leads out of a folder.
 * @param root the folder, without links
 */
export function filesIn(root: string, files: Files): Files {
  const stays = staysIn(root);
  return { kindOf: stays(files.kindOf), read: stays(files.read), list: stays(files.list) };
}

import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { orElse } from "../../cli/errno.ts";
import { nearestFolder } from "../bds/system.ts";
import { CannotRun } from "./fault.ts";

/** A folder as the system itself calls it, without links, and on Windows without short names; one that is not there as it was given. */
export const realFolder = (path: string): string =>
  orElse(() => realpathSync.native(resolve(path)), resolve(path));

/**
 * Throws `CannotRun` where something would be written into the folder of the game server, or into one below it.
 * @param made what the trial writes into, by the option that names it
 */
export function refuseWithin(server: string, made: Readonly<Record<string, string>>): void {
  const root = realFolder(server);
  for (const [option, folder] of Object.entries(made)) {
    const way = relative(root, realFolder(nearestFolder(resolve(folder))));
    if (isAbsolute(way) || way === ".." || way.startsWith(`..${sep}`)) continue;
    throw new CannotRun(
      `${resolve(folder)}: is in what --server names, where nothing is written: name a folder elsewhere with ${option}`,
    );
  }
}

import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import { reasonOf } from "../../cli/errno.ts";
import { nearestFolder } from "../bds/system.ts";
import { inside, realFolder } from "../bds/way.ts";
import { CannotRun } from "./fault.ts";

/**
 * Throws `CannotRun` where something would be written into the folder of the game server, or into one below it.
 * @param made what the trial writes into, by the option that names it
 */
export function refuseWithin(server: string, made: Readonly<Record<string, string>>): void {
  const root = realFolder(server);
  for (const [option, folder] of Object.entries(made)) {
    if (inside(root, realFolder(nearestFolder(resolve(folder)))) === undefined) continue;
    throw new CannotRun(
      `${resolve(folder)}: is in what --server names, where nothing is written: name a folder elsewhere with ${option}`,
    );
  }
}

/** Throws `CannotRun` where no report could be written in the end. */
export function refuseUnwritable(out: string): void {
  const folder = resolve(out);
  try {
    const nearest = nearestFolder(folder);
    if (!statSync(nearest).isDirectory()) throw new Error(`${nearest} is no folder`);
    accessSync(nearest, constants.W_OK);
  } catch (error) {
    throw new CannotRun(
      `${folder}: the report could not be written there: ${reasonOf(error)}: name another folder with --out`,
    );
  }
}

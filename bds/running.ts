import { join } from "node:path";
import { isProgram, type ServerFolder } from "./folder.ts";
import { type LockSigns, lockHolder } from "./world-lock.ts";

/** What the system tells of processes and locks. Nothing is undefined where it may not be known. */
export interface SystemSigns extends LockSigns {
  platform: string;
  /** numbers of the running processes */
  pids(): number[];
  /** where `cwd` or `exe` of a process leads */
  linkOf(pid: number, what: "cwd" | "exe"): string | undefined;
  /** a path without symbolic links */
  realPath(path: string): string;
  /** whether a file can be opened for writing; a missing one can */
  opens(path: string): boolean;
}

/** A sign that a server has the world open. */
export interface Running {
  pid: number | undefined;
}

/**
 * Whether a server runs in a folder or holds its world. When in doubt it does: changing files under a running server
 * loses them.
 */
export function findRunning(
  server: Pick<ServerFolder, "root" | "world">,
  signs: SystemSigns,
): Running | undefined {
  if (signs.platform === "win32") return signs.opens(server.world.lock) ? undefined : { pid: undefined };
  return lockHolder(server.world.lock, signs) ?? processIn(server.root, signs);
}

function processIn(root: string, signs: SystemSigns): Running | undefined {
  const folder = signs.realPath(root);
  const pid = signs.pids().find(each => {
    const exe = signs.linkOf(each, "exe");
    if (exe === undefined || !isProgram(exe)) return false;
    return signs.linkOf(each, "cwd") === folder || join(exe, "..") === folder;
  });
  return pid === undefined ? undefined : { pid };
}

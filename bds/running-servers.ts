import { join } from "node:path";
import { isProgram, type ServerFolder } from "./folder.ts";
import { type LockSigns, lockHolder } from "./world-lock.ts";

/** What the system tells of processes and locks. Nothing is undefined where it may not be known. */
export interface SystemSigns extends LockSigns {
  platform: string;
  /** numbers of the running processes */
  pids(): number[];
  /** where `cwd` or `exe` of a process leads, or what its network is called */
  linkOf(pid: number, what: "cwd" | "exe" | "ns/net"): string | undefined;
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
  const found = serversHere(signs).find(each => each.root === folder || each.programs === folder);
  return found === undefined ? undefined : { pid: found.pid };
}

/**
 * The servers that run on this machine, as far as they can be looked at: the folder that each was started in, and that of
 * its program.
 */
export function serversHere(signs: SystemSigns): { pid: number; root: string; programs: string }[] {
  return signs.pids().flatMap(pid => {
    const exe = signs.linkOf(pid, "exe");
    if (exe === undefined || !isProgram(exe)) return [];
    const programs = join(exe, "..");
    return [{ pid, root: signs.linkOf(pid, "cwd") ?? programs, programs }];
  });
}

/** Whether a process has the same network as this one, and no container's; undefined: that cannot be seen. */
export function sharesNetwork(pid: number, signs: SystemSigns): boolean | undefined {
  const [other, own] = [pid, process.pid].map(each => signs.linkOf(each, "ns/net"));
  return other === undefined || own === undefined ? undefined : other === own;
}

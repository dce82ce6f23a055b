import { join } from "node:path";
import { isProgram, type ServerFolder } from "./folder.ts";
import { type FileLocks, lockHolder } from "./world-lock.ts";

/** What the system tells of processes and locks. Nothing is undefined where it may not be known. */
export interface ProcessTable extends FileLocks {
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
export interface RunningServer {
  pid: number | undefined;
}

/**
 * Whether a server runs in a folder or holds its world. When in doubt it does: changing files under a running server
 * loses them.
 */
export function findRunningServer(
  server: Pick<ServerFolder, "root" | "world">,
  processes: ProcessTable,
): RunningServer | undefined {
  if (processes.platform === "win32")
    return processes.opens(server.world.lock) ? undefined : { pid: undefined };
  return lockHolder(server.world.lock, processes) ?? processIn(server.root, processes);
}

function processIn(root: string, processes: ProcessTable): RunningServer | undefined {
  const folder = processes.realPath(root);
  const found = runningServers(processes).find(each => each.root === folder || each.programs === folder);
  return found === undefined ? undefined : { pid: found.pid };
}

/**
 * The servers that run on this machine, as far as they can be looked at: the folder that each was started in, and that of
 * its program.
 */
export function runningServers(processes: ProcessTable): { pid: number; root: string; programs: string }[] {
  return processes.pids().flatMap(pid => {
    const exe = processes.linkOf(pid, "exe");
    if (exe === undefined || !isProgram(exe)) return [];
    const programs = join(exe, "..");
    return [{ pid, root: processes.linkOf(pid, "cwd") ?? programs, programs }];
  });
}

/** Whether a process has the same network as this one, and no container's; undefined: that cannot be seen. */
export function sharesNetwork(pid: number, processes: ProcessTable): boolean | undefined {
  const [other, own] = [pid, process.pid].map(each => processes.linkOf(each, "ns/net"));
  return other === undefined || own === undefined ? undefined : other === own;
}

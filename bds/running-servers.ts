import { join } from "node:path";
import { isProgram } from "./program.ts";
import { type FileLocks, lockHolder } from "./world-lock.ts";

/** Processes and file locks of this machine; undefined: not known. */
export interface ProcessTable extends FileLocks {
  platform: string;
  /** ids of the running processes */
  pids(): number[];
  /** target of the links `cwd` and `exe` of a process, or id of its network */
  linkOf(pid: number, what: "cwd" | "exe" | "ns/net"): string | undefined;
  /** a path without symbolic links */
  realPath(path: string): string;
  /** whether a file can be opened for writing; a missing one can */
  opens(path: string): boolean;
}

export interface RunningServer {
  pid: number | undefined;
}

/**
 * The process that runs a server in a folder or locks its world. In doubt a server runs: changes under a running server are
 * lost.
 */
export function findRunningServer(
  server: { root: string; world: { lock: string } },
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
 * The visible servers that run on this machine, each with its working directory and the folder of its
 * program.
 */
export function runningServers(processes: ProcessTable): { pid: number; root: string; programs: string }[] {
  return processes.pids().flatMap(pid => {
    const exe = processes.linkOf(pid, "exe");
    if (exe === undefined || !isProgram(exe)) return [];
    const programs = join(exe, "..");
    return [{ pid, root: processes.linkOf(pid, "cwd") ?? programs, programs }];
  });
}

/** Whether a process has the network of this process, not that of a container; undefined: not known. */
export function sharesNetwork(pid: number, processes: ProcessTable): boolean | undefined {
  const [other, own] = [pid, process.pid].map(each => processes.linkOf(each, "ns/net"));
  return other === undefined || own === undefined ? undefined : other === own;
}

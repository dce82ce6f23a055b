import { readFile } from "node:fs/promises";
import { cpus } from "node:os";
import pidusage from "pidusage";
import { findServers, isServer } from "./find.ts";
import { memoryLimit } from "./memory-limit.ts";

/** What a process has used so far. */
export interface Usage {
  /** resident memory in bytes */
  memory: number;
  /** time on all processors since the process began, in milliseconds */
  cpuMs: number;
}

/** What the probe asks of the machine. Each may fail or never answer. */
export interface Machine {
  /** processors of the whole machine */
  cores: number;
  /** the processes that may be that of the game server: several where nothing tells them apart */
  findServers(storage: string, name: string | undefined): Promise<number[]>;
  isServer(pid: number): Promise<boolean>;
  usage(pid: number): Promise<Usage>;
  /** memory that a process may use, in bytes */
  memoryLimit(pid: number): Promise<number>;
  readPidFile(path: string): Promise<string>;
}

export const thisMachine: Machine = {
  cores: Math.max(1, cpus().length),
  findServers: (storage, name) => findServers(storage, name),
  isServer,
  async usage(pid) {
    const { memory, ctime } = await pidusage(pid);
    return { memory, cpuMs: ctime };
  },
  memoryLimit: pid => memoryLimit(pid),
  readPidFile: path => readFile(path, "utf8"),
};

import { readFile } from "node:fs/promises";
import { cpus } from "node:os";
import pidusage from "pidusage";
import { findServers, isServer } from "./find.ts";
import { memoryLimit } from "./memory-limit.ts";

/** Resource usage of a process. */
export interface Usage {
  /** resident memory in bytes */
  memory: number;
  /** CPU time since the process started, in milliseconds */
  cpuMs: number;
}

/** Queries of the probe to the machine. Each may fail or never settle. */
export interface Machine {
  /** number of processors */
  cores: number;
  /** candidate processes of the game server: several if they cannot be distinguished */
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

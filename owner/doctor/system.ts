import { readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fetchJoinInfo } from "../../bds/join-info.ts";
import { freeBytes, ownAddresses, systemFiles, systemProcesses } from "../../bds/system.ts";
import { commandsIn } from "../../cli/commands.ts";
import { isErrno, orElse } from "../../cli/errno.ts";
import { commandsBy, readRunBy } from "../../cli/run-by.ts";
import { sidecarAt, usedInstead } from "../../cli/sidecar-process.ts";
import { RUN_BY } from "../../cli/variables.ts";
import { portOwner } from "./port-owner.ts";
import type { Access, DoctorSystem, User } from "./target.ts";

/** How long the game may take to answer, in milliseconds. */
const JOIN_MS = 4000;

/**
 * The real system.
 * @param root folder of the repository, or of the archive with the sidecar in it
 */
export function doctorSystem(root: string): DoctorSystem {
  return {
    files: systemFiles,
    processes: systemProcesses,
    env: process.env,
    packs: {
      behavior: join(root, "dist/behavior_pack"),
      stable: join(root, "dist/behavior_pack_stable"),
      resource: join(root, "dist/resource_pack"),
    },
    programs: commandsBy(readRunBy(process.env[RUN_BY]), commandsIn(root)),
    platform: process.platform,
    fetch,
    now: Date.now,
    accessOf,
    userOf,
    freeBytes,
    isUnderLaunch,
    portOwner,
    fetchJoinInfo: (port, host) => fetchJoinInfo(port, AbortSignal.timeout(JOIN_MS), host),
    sidecarAt,
    usedInstead: config => usedInstead(root, config),
    ownAddresses,
  };
}

function accessOf(path: string): Access | undefined {
  try {
    const { uid, gid, mode } = statSync(path);
    return { uid, gid, mode };
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR", "EACCES")) return undefined;
    throw error;
  }
}

/** Programs that are `launch`, the second one in the archive: no other command of it starts a game server. */
const LAUNCH = ["launch.js", "web-bridge.js"];

const isUnderLaunch = (pid: number): boolean | undefined =>
  orElse(() => {
    const [, parent] = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    const words = readFileSync(`/proc/${parent}/cmdline`, "utf8").split("\0");
    return words.some(word => LAUNCH.includes(basename(word)));
  }, undefined);

function userOf(pid: number): User | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8");
    // The second number is the effective id, which decides about files.
    const numbers = (key: string): number[] =>
      (new RegExp(`^${key}:(.*)$`, "m").exec(text)?.[1] ?? "").trim().split(/\s+/).map(Number);
    const [[, uid], [, gid]] = [numbers("Uid"), numbers("Gid")];
    return uid === undefined || gid === undefined ? undefined : { uid, gid, groups: numbers("Groups") };
  } catch {
    return undefined;
  }
}

import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isErrno, messageOf, reasonOf } from "../../cli/errno.ts";
import { freeBytes } from "../bds/system.ts";
import { CannotRun } from "./fault.ts";
import { type Processes, systemProcesses } from "./processes.ts";

/** Begins the name of each folder of a trial; behind it the process that made it, and what nobody guesses. */
const PREFIX = "web-bridge-prove-";
const NAME = /^web-bridge-prove-(\d+)-([0-9a-f]{16})$/;
/** Bytes that are to be free besides the copies of the program: worlds, logs, the sidecar's data. */
const SPARE = 256 * 1024 ** 2;
const MEBIBYTE = 1024 ** 2;
/** A folder whose files are still held for a moment, as on Windows, is tried again. */
const TRIES = 20;
const AGAIN_MS = 250;

/** The folder of a trial, in which everything lies that the trial makes. */
export interface Place {
  folder: string;
  /** Ends what runs in it and removes it with all that is in it. */
  clear(): Promise<void>;
}

/**
 * Makes a folder for a trial. Its name is the journal of what exists: everything else is in it, each process of the trial runs in
 * it, and it tells who made it.
 * @param parent where it is made
 * @param bytes of all copies of the program
 */
export function makePlace(parent: string, bytes: number, processes = systemProcesses): Place {
  const free = freeBytes(parent);
  const needed = bytes + SPARE;
  if (free !== undefined && free < needed)
    throw new CannotRun(
      `${parent}: the trial needs ${shown(needed)} there, and ${shown(free)} are free: make room, or name another folder with --work`,
    );
  const folder = join(parent, `${PREFIX}${process.pid}-${randomBytes(8).toString("hex")}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(folder, MARK), signOf(process.pid), { mode: 0o600, flag: "wx" });
  } catch (error) {
    throw new CannotRun(
      `${parent}: no folder can be made in it: ${reasonOf(error)}: name another with --work`,
    );
  }
  return { folder, clear: () => clearAll(folder, processes) };
}

/** Says in a trial's folder which start of which process made it. */
const MARK = "trial";

/** Tells a process from a later one with its number: where Linux tells, when it was started, and since when the machine runs. */
function signOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const started = stat.slice(stat.lastIndexOf(")")).split(" ")[20];
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${started}`;
  } catch {
    return "unknown";
  }
}

/**
 * Clears up after trials that were killed, or whose machine lost its power: ends what still runs in their folders, and removes
 * them. Trials at work, and those of other users, are left alone.
 * @returns how many there were
 */
export async function clearLeftovers(
  parent: string,
  processes: Processes = systemProcesses,
): Promise<number> {
  let count = 0;
  for (const name of namesIn(parent)) {
    const pid = Number(NAME.exec(name)?.[1]);
    const folder = join(parent, name);
    if (!NAME.test(name) || !isOwn(folder) || isAtWork(folder, pid, processes)) continue;
    await clearAll(folder, processes);
    count++;
  }
  return count;
}

function namesIn(parent: string): string[] {
  try {
    return readdirSync(parent).filter(name => name.startsWith(PREFIX));
  } catch {
    return [];
  }
}

function isOwn(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && (process.getuid === undefined || found.uid === process.getuid());
}

function isAtWork(folder: string, pid: number, processes: Processes): boolean {
  if (!processes.isAlive(pid)) return false;
  try {
    return readFileSync(join(folder, MARK), "utf8") === signOf(pid);
  } catch {
    // It has just been made, or was never more.
    return pid !== process.pid;
  }
}

async function clearAll(folder: string, processes: Processes): Promise<void> {
  for (let left = TRIES; ; left--) {
    await processes.kill(await processes.within(folder));
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (left === 0 || !isErrno(error, "ENOTEMPTY", "EBUSY", "EPERM", "EACCES"))
        throw new Error(`${folder}: could not be removed: ${messageOf(error)}: remove it by hand`);
    }
    await wait(AGAIN_MS);
  }
}

const shown = (bytes: number): string => `${Math.ceil(bytes / MEBIBYTE)} MiB`;

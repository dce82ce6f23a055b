import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { isErrno } from "../../cli/errno.ts";

/** Name of the game server's executable; Windows adds `.exe`. */
const EXECUTABLE = "bedrock_server";

/** Some container images put the version behind the name, as in `bedrock_server-1.26.51.1`. */
const WITH_VERSION = /^bedrock_server(-[\d.]+)?$/;

/** The same as the kernel keeps it, cut to 15 bytes. */
const CUT_NAME = /^bedrock_server-?$/;

/** Longest wait for the list of processes, in milliseconds. */
const LIST_MS = 3000;

/** Finds the process that runs the game server; undefined when none can be seen. Of several, the oldest number. */
export async function findServer(platform: NodeJS.Platform = process.platform): Promise<number | undefined> {
  if (platform === "linux") return findInProc("/proc");
  if (platform === "win32") return findInTaskList(await taskList());
  return undefined;
}

/** Whether a process found earlier still is the game server. Where that is not known, it is taken to be. */
export async function isServer(pid: number): Promise<boolean> {
  return process.platform !== "linux" || (await likeness(join("/proc", String(pid)))) > 0;
}

/** Looks through a folder like `/proc`. */
export async function findInProc(proc: string): Promise<number | undefined> {
  const pids = (await readdir(proc))
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
  let best: { pid: number; likeness: number } | undefined;
  for (const pid of pids) {
    const found = await likeness(join(proc, String(pid)));
    if (found > (best?.likeness ?? 0)) best = { pid, likeness: found };
  }
  return best?.pid;
}

/**
 * How surely a process is the game server: 2 by its executable; 1 by its name, as where its executable may not be
 * looked at, or where it is a script that starts the server; 0 when it is not.
 */
async function likeness(folder: string): Promise<0 | 1 | 2> {
  const executable = await quiet(readlink(join(folder, "exe")));
  // One that has ended without its parent taking note has a name still, and no executable.
  if (executable === undefined) return 0;
  // The file of a server that was updated while it runs.
  if (executable !== null && WITH_VERSION.test(basename(executable.replace(/ \(deleted\)$/, "")))) return 2;
  const name = await quiet(readFile(join(folder, "comm"), "utf8"));
  return name !== undefined && name !== null && CUT_NAME.test(name.trim()) ? 1 : 0;
}

/** What a promise gives, undefined when there is nothing, null when it may not be read. */
async function quiet(read: Promise<string>): Promise<string | undefined | null> {
  try {
    return await read;
  } catch (error) {
    return isErrno(error, "EACCES", "EPERM") ? null : undefined;
  }
}

function taskList(): Promise<string> {
  const program = join(process.env.SystemRoot ?? "C:\\Windows", "System32", "tasklist.exe");
  const args = ["/FO", "CSV", "/NH", "/FI", `IMAGENAME eq ${EXECUTABLE}.exe`];
  return new Promise((resolve, reject) => {
    execFile(program, args, { timeout: LIST_MS, windowsHide: true }, (error, output) =>
      error === null ? resolve(output) : reject(error),
    );
  });
}

/** The lowest process id in what `tasklist` prints as CSV. */
export function findInTaskList(output: string): number | undefined {
  const pids = output
    .split(/\r?\n/)
    .map(line => /^"bedrock_server\.exe","(\d+)"/i.exec(line)?.[1])
    .filter(pid => pid !== undefined)
    .map(Number);
  return pids.length > 0 ? Math.min(...pids) : undefined;
}

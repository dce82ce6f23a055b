import { execFile } from "node:child_process";
import { readdir, readFile, readlink, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isErrno } from "../../../../cli/errno.ts";
import { readKnown, type ServedFolder, type ServedFolders } from "./served.ts";

/** Name of the game server's executable; Windows adds `.exe`. */
const EXECUTABLE = "bedrock_server";

/** Some container images append the version, as in `bedrock_server-1.26.60.6`. */
const WITH_VERSION = /^bedrock_server(-[\d.]+)?$/;

/** The name with a version, truncated by Linux to 15 bytes. */
const CUT_NAME = /^bedrock_server-?$/;

/** Timeout for the list of processes, in milliseconds. */
const LIST_MS = 3000;

/**
 * Candidate processes of a game server of this sidecar: none if none is visible, several if they cannot be distinguished. For a named game
 * server, only the process in the folder that setup has registered for it.
 * @param storage the sidecar's folder, where setup has registered the servers
 * @param name of the game server in `servers` of the configuration; undefined: the first one
 */
export async function findServers(
  storage: string,
  name?: string,
  platform: NodeJS.Platform = process.platform,
): Promise<number[]> {
  if (platform === "linux") {
    const known = await readKnown(storage, name);
    return name !== undefined && known.own === undefined ? [] : findInProc("/proc", known);
  }
  if (platform === "win32" && name === undefined) return findInTaskList(await taskList());
  return [];
}

/** Whether a process found earlier still is the game server. If that cannot be checked, it is assumed. */
export async function isServer(pid: number): Promise<boolean> {
  return process.platform !== "linux" || (await likeness(join("/proc", String(pid)))) > 0;
}

const NOBODY: ServedFolders = { own: undefined, others: [] };

interface Candidate {
  pid: number;
  likeness: 1 | 2;
  /** whether it is the registered server; undefined: unknown */
  isServed: boolean | undefined;
}

/** Searches a folder like `/proc`, lowest process id first. */
export async function findInProc(proc: string, known: ServedFolders = NOBODY): Promise<number[]> {
  const pids = (await readdir(proc))
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
  const found: Candidate[] = [];
  for (const pid of pids) {
    const folder = join(proc, String(pid));
    const sure = await likeness(folder);
    if (sure !== 0) found.push({ pid, likeness: sure, isServed: await isServed(pid, folder, known) });
  }
  const [own] = likeliest(found.filter(each => each.isServed === true));
  return own === undefined ? likeliest(found.filter(each => each.isServed === undefined)) : [own];
}

/** The best candidates: a script that started the server is dropped if the server itself is visible. */
function likeliest(found: readonly Candidate[]): number[] {
  const most = Math.max(...found.map(({ likeness }) => likeness));
  return found.filter(({ likeness }) => likeness === most).map(({ pid }) => pid);
}

async function isServed(
  pid: number,
  folder: string,
  { own, others }: ServedFolders,
): Promise<boolean | undefined> {
  if (own?.holder === pid) return true;
  if (own === undefined && others.length === 0) return undefined;
  // By device and inode, since a container's folder has another path here.
  const found = await quiet(stat(join(folder, "cwd"), { bigint: true }));
  const isOf = (served: ServedFolder): boolean =>
    served.holder === pid ||
    (found ? found.dev === served.folder.dev && found.ino === served.folder.ino : false);
  if (own === undefined) return others.some(isOf) ? false : undefined;
  return found ? isOf(own) : others.some(isOf) ? false : undefined;
}

/**
 * How likely a process is the game server: 2 by its executable; 1 by its name, if its executable is not accessible or it is a script
 * that starts the server; 0 if it is not.
 */
async function likeness(folder: string): Promise<0 | 1 | 2> {
  const executable = await quiet(readlink(join(folder, "exe")));
  // A zombie process still has a name, but no executable.
  if (executable === undefined) return 0;
  // The executable was replaced by an update while it runs.
  if (executable !== null && WITH_VERSION.test(basename(executable.replace(/ \(deleted\)$/, "")))) return 2;
  const name = await quiet(readFile(join(folder, "comm"), "utf8"));
  return name !== undefined && name !== null && CUT_NAME.test(name.trim()) ? 1 : 0;
}

/** The value of a promise; undefined if it does not exist, null if access is denied. */
async function quiet<T>(read: Promise<T>): Promise<T | undefined | null> {
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

/** The process ids in the CSV output of `tasklist`, which does not include their folders. */
export const findInTaskList = (output: string): number[] =>
  output
    .split(/\r?\n/)
    .map(line => /^"bedrock_server\.exe","(\d+)"/i.exec(line)?.[1])
    .filter(pid => pid !== undefined)
    .map(Number);

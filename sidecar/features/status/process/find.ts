import { execFile } from "node:child_process";
import { readdir, readFile, readlink, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isErrno } from "../../../../cli/errno.ts";
import { readKnown, type ServedFolder, type ServedFolders } from "./served.ts";

/** Name of the game server's executable; Windows adds `.exe`. */
const EXECUTABLE = "bedrock_server";

/** Some container images put the version behind the name, as in `bedrock_server-1.26.60.6`. */
const WITH_VERSION = /^bedrock_server(-[\d.]+)?$/;

/** The name with a version as Linux keeps it: cut to 15 bytes. */
const CUT_NAME = /^bedrock_server-?$/;

/** Longest wait for the list of processes, in milliseconds. */
const LIST_MS = 3000;

/**
 * The processes that may be that of a game server of this sidecar: none where none can be seen, several where nothing tells
 * them apart. One beside the first has no other than that of the folder that setup has noted for its name.
 * @param storage the sidecar's folder, where setup has noted the servers
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

/** Whether a process found earlier still is the game server. Where that is not known, it is taken to be. */
export async function isServer(pid: number): Promise<boolean> {
  return process.platform !== "linux" || (await likeness(join("/proc", String(pid)))) > 0;
}

const NOBODY: ServedFolders = { own: undefined, others: [] };

interface Candidate {
  pid: number;
  likeness: 1 | 2;
  /** whether it is the server of this world; undefined: that may not be known */
  isServed: boolean | undefined;
}

/** Looks through a folder like `/proc`, the lowest number first. */
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

/** A script that has started the server is none where the server itself is seen. */
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
  // By device and number, as a folder of a container has another path here.
  const found = await quiet(stat(join(folder, "cwd"), { bigint: true }));
  const isOf = (served: ServedFolder): boolean =>
    served.holder === pid ||
    (found ? found.dev === served.folder.dev && found.ino === served.folder.ino : false);
  if (own === undefined) return others.some(isOf) ? false : undefined;
  return found ? isOf(own) : others.some(isOf) ? false : undefined;
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

/** The process ids in what `tasklist` prints as CSV. It does not tell where they run. */
export const findInTaskList = (output: string): number[] =>
  output
    .split(/\r?\n/)
    .map(line => /^"bedrock_server\.exe","(\d+)"/i.exec(line)?.[1])
    .filter(pid => pid !== undefined)
    .map(Number);

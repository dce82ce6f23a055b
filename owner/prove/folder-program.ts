import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  readFileSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isErrno, orElse, reasonOf } from "../../cli/errno.ts";
import { CannotRun } from "./fault.ts";
import {
  executableOf,
  hashOf,
  isLeftOut,
  MOST,
  type Program,
  type ProgramFile,
  platformOf,
  refuseMuch,
} from "./program.ts";

/** Files of at most so many bytes are compared byte for byte afterwards, as long as there are not more of them in all. */
const SMALL = 256 * 1024;
const MOST_READ = 64 * 1024 * 1024;
const OWN_WRITE = 0o200;

/**
 * The program in the folder of a game server. Nothing there is opened for writing.
 * @throws CannotRun where it is none, or may not be read
 */
export async function folderProgram(root: string): Promise<Program> {
  const files: ProgramFile[] = [];
  for await (const { path, bytes } of filesBelow(root, isLeftOut)) {
    files.push({ path, bytes });
    refuseMany(files.length, root);
  }
  refuseMuch(files, root);
  const executable = executableOf(files.map(({ path }) => path));
  if (executable === undefined)
    throw new CannotRun(
      `${root}: is not the folder of a game server: expected bedrock_server and server.properties in it`,
    );
  return {
    platform: platformOf(executable),
    executable,
    files,
    async copyTo(folder, signal) {
      for (const { path } of files) {
        signal.throwIfAborted();
        const to = join(folder, path);
        mkdirSync(dirname(to), { recursive: true });
        copyOf(join(root, path), to);
        // What an owner has protected from writing is written in the copy.
        chmodSync(to, statSync(to).mode | OWN_WRITE);
        await setImmediate();
      }
    },
    look: () => lookAt(root),
  };
}

function copyOf(from: string, to: string): void {
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  } catch (error) {
    throw isErrno(error, "EACCES", "EPERM") ? unread(from, error) : error;
  }
}

/** Every file and folder below one, and the folder itself. */
async function lookAt(root: string): Promise<Map<string, string>> {
  const seen = new Map<string, string>([[".", signOf(root)]]);
  let read = 0;
  for await (const { path, bytes, isFile } of filesBelow(root, () => false, true)) {
    const full = join(root, path);
    // What a server that runs there has removed meanwhile is as if it had not been seen.
    const sign = orElse(() => signOf(full), undefined);
    if (sign === undefined) continue;
    const isRead = isFile && bytes <= SMALL && read + bytes <= MOST_READ;
    if (isRead) read += bytes;
    // What this user may not read is compared without its bytes.
    seen.set(path, isRead ? `${sign} ${orElse(() => hashOf(readFileSync(full)), "")}` : sign);
    refuseMany(seen.size, root);
  }
  return seen;
}

function refuseMany(count: number, root: string): void {
  if (count > MOST.files)
    throw new CannotRun(
      `${root}: has more than ${MOST.files} files: name the zip file that the game server came in, or a folder without worlds`,
    );
}

/** Of a folder its time tells whether something was made in it or removed. */
function signOf(path: string): string {
  const { mode, size, mtimeNs, ino } = lstatSync(path, { bigint: true });
  return [mode, size, mtimeNs, ino].join(" ");
}

/** Everything below a folder. Links are followed to files and folders, but for a look at what is there, which names them. */
async function* filesBelow(
  root: string,
  leftOut: (path: string) => boolean,
  isLook = false,
  below = "",
  depth = 0,
): AsyncGenerator<ProgramFile & { isFile: boolean }> {
  if (depth > MOST_DEPTH) throw new CannotRun(`${join(root, below)}: too many folders within each other`);
  for (const entry of await namesIn(join(root, below), isLook)) {
    const path = below === "" ? entry : `${below}/${entry}`;
    if (leftOut(path)) continue;
    const found = isLook ? linkAt(join(root, path)) : fileAt(join(root, path));
    const isFile = found?.isFile() === true;
    if (found !== undefined && (isFile || isLook)) yield { path, bytes: found.size, isFile };
    if (found?.isDirectory()) yield* filesBelow(root, leftOut, isLook, path, depth + 1);
  }
}

const MOST_DEPTH = 30;

/** What is in a folder. One that this user may not read has nothing for a look, and no program in it can be copied. */
async function namesIn(folder: string, isLook: boolean): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of opendirSync(folder)) {
      names.push(name);
      refuseMany(names.length, folder);
    }
  } catch (error) {
    if (error instanceof CannotRun) throw error;
    if (!isLook) throw unread(folder, error);
  }
  return names;
}

const linkAt = (path: string): Stats | undefined => orElse(() => lstatSync(path), undefined);

/** What a path leads to; undefined where it leads nowhere, as a link to itself. */
function fileAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isErrno(error, "ELOOP")) return undefined;
    throw unread(path, error);
  }
}

const unread = (path: string, error: unknown): CannotRun =>
  new CannotRun(
    `${path}: cannot be read: ${reasonOf(error)}: run this as the user that the game server has, or name the zip file that it came in`,
  );

import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  readFileSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
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
        copyFileSync(join(root, path), to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
        // What an owner has protected from writing is written in the copy.
        chmodSync(to, statSync(to).mode | OWN_WRITE);
        await setImmediate();
      }
    },
    look: () => lookAt(root),
  };
}

/** Every file and folder below one, and the folder itself. */
async function lookAt(root: string): Promise<Map<string, string>> {
  const seen = new Map<string, string>([[".", signOf(root)]]);
  let read = 0;
  for await (const { path, bytes, isFile } of filesBelow(root, () => false, true)) {
    const full = join(root, path);
    const isRead = isFile && bytes <= SMALL && read + bytes <= MOST_READ;
    if (isRead) read += bytes;
    seen.set(path, isRead ? `${signOf(full)} ${hashOf(readFileSync(full))}` : signOf(full));
    refuseMany(seen.size, root);
  }
  return seen;
}

function refuseMany(count: number, root: string): void {
  if (count > MOST.files) throw new CannotRun(`${root}: has more than ${MOST.files} files`);
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
  for await (const entry of opendirSync(join(root, below))) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (leftOut(path)) continue;
    const found = (isLook ? lstatSync : statSync)(join(root, path), { throwIfNoEntry: false });
    const isFile = found?.isFile() === true;
    if (found !== undefined && (isFile || isLook)) yield { path, bytes: found.size, isFile };
    if (found?.isDirectory()) yield* filesBelow(root, leftOut, isLook, path, depth + 1);
  }
}

const MOST_DEPTH = 30;

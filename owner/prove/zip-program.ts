import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, mkdirSync, statSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { messageOf } from "../../cli/errno.ts";
import { isProgram } from "../bds/folder.ts";
import { CannotRun } from "./fault.ts";
import {
  executableOf,
  isLeftOut,
  MOST,
  type Program,
  type ProgramFile,
  pathFault,
  platformOf,
  refuseMuch,
} from "./program.ts";

/** Kind of a file in the attributes that Unix gives it. */
const KIND = 0o170000;
const LINK = 0o120000;

/**
 * The program in a zip file, as Mojang gives it to owners, or with one folder around it.
 * @throws CannotRun where it is none, or has what a program has not: links, paths that lead out, passwords
 */
export async function zipProgram(zip: string): Promise<Program> {
  const all: ProgramFile[] = [];
  await eachEntry(zip, async entry => {
    const path = pathIn(entry, zip);
    if (path === undefined) return;
    all.push({ path, bytes: entry.uncompressedSize });
    if (all.length > MOST.files) throw new CannotRun(`${zip}: has more than ${MOST.files} files`);
  });
  const top = topOf(all.map(({ path }) => path));
  const files = all.flatMap(({ path, bytes }) => {
    const short = path.slice(top.length);
    return path.startsWith(top) && !isLeftOut(short) ? [{ path: short, bytes }] : [];
  });
  refuseMuch(files, zip);
  const executable = executableOf(files.map(({ path }) => path));
  if (executable === undefined)
    throw new CannotRun(`${zip}: has no game server in it: expected bedrock_server and server.properties`);
  const wanted = new Set(files.map(({ path }) => path));
  return {
    platform: platformOf(executable),
    executable,
    files,
    copyTo: (folder, signal) =>
      eachEntry(zip, async (entry, file) => {
        signal.throwIfAborted();
        const path = pathIn(entry, zip)?.slice(top.length);
        if (path === undefined || !wanted.has(path)) return;
        const to = join(folder, path);
        mkdirSync(dirname(to), { recursive: true });
        // Whatever has a name twice is no program's.
        const out = createWriteStream(to, { flags: "wx" });
        await pipeline(await file.openReadStreamPromise(entry), whole(entry, zip), out, { signal });
      }),
    look: async () => {
      const hash = createHash("sha256");
      await pipeline(createReadStream(zip), hash);
      const { size, mtimeMs } = statSync(zip);
      return new Map([[basename(zip), `${size} ${mtimeMs} ${hash.digest("hex")}`]]);
    },
  };
}

/** Lets the bytes of a file through, and throws at their end where they are not what was put into the zip. */
const whole = ({ crc32: expected, fileName }: Entry, zip: string) =>
  async function* (bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let sum = 0;
    for await (const piece of bytes) {
      sum = crc32(piece, sum);
      yield piece;
    }
    if (sum !== expected) throw new CannotRun(`${zip}: ${fileName} is damaged: get the file again`);
  };

/** Path of a file in the zip; undefined: it is a folder. */
function pathIn(entry: Entry, zip: string): string | undefined {
  const { fileName } = entry;
  const refuse = (why: string): never => {
    throw new CannotRun(`${zip}: ${JSON.stringify(fileName)} ${why}`);
  };
  if (((entry.externalFileAttributes >>> 16) & KIND) === LINK) refuse("is a link");
  if (entry.isEncrypted()) refuse("has a password");
  if (fileName.endsWith("/")) return undefined;
  const fault = pathFault(fileName);
  return fault === undefined ? fileName : refuse(fault);
}

/** The folder in which the server lies, with its `/`; empty where there is none. */
function topOf(paths: readonly string[]): string {
  const place = paths.find(
    path => isProgram(path) && paths.includes(posix.join(dirname(path), "server.properties")),
  );
  const folder = place === undefined ? "." : posix.dirname(place);
  return folder === "." ? "" : `${folder}/`;
}

async function eachEntry(zip: string, act: (entry: Entry, file: ZipFile) => Promise<void>): Promise<void> {
  let file: ZipFile | undefined;
  try {
    file = await openPromise(zip, { lazyEntries: true, autoClose: false, strictFileNames: true });
    for await (const entry of file.eachEntry()) await act(entry, file);
  } catch (error) {
    if (error instanceof CannotRun || (error instanceof Error && error.name === "AbortError")) throw error;
    throw new CannotRun(`${zip}: cannot be read as a zip file: ${messageOf(error)}`);
  } finally {
    file?.close();
  }
}

import { constants } from "node:fs";
import { type FileHandle, lstat, open, rename } from "node:fs/promises";
import { join } from "node:path";
import { isErrno } from "../../../cli/errno.ts";
import { makeFolders } from "../../../cli/folders.ts";
import { anything, checkJson, isObject } from "../../../shared/guard.ts";
import type { Log } from "../../platform/log.ts";
import type { Audit, AuditEntry, AuditReader } from "./audit.ts";

export const AUDIT_FILE = "audit.jsonl";

/** Size at which a new file is begun, in bytes. */
const ROTATE_BYTES = 10 * 1024 * 1024;
/** Rotated files besides the one that is written: `.1` is the newest of them. */
export const ROTATED_FILES = 5;

/** How much is read from the end of a file for its newest lines, in bytes: more than those of 200 of the longest announcements. */
const TAIL_BYTES = 320 * 1024;

const NEWLINE = 10;
// A named pipe must not block the write.
const { O_APPEND, O_CREAT, O_RDONLY, O_RDWR, O_NONBLOCK = 0 } = constants;

/** The audit log in the file `audit.jsonl` of a folder: one JSON object in each line, for this user only. */
export function openAuditFile(
  folder: string,
  log: Pick<Log, "error">,
  rotateBytes = ROTATE_BYTES,
): Audit & AuditReader {
  const file = join(folder, AUDIT_FILE);
  let last: Promise<void> = Promise.resolve();

  const pathOf = (number: number): string => (number === 0 ? file : `${file}.${number}`);

  /** Moves only the necessary files: a rotation that fails, such as because of an open file, loses none and is retried. */
  async function rotate(): Promise<void> {
    let free = 1;
    while (free < ROTATED_FILES && (await isThere(pathOf(free)))) free++;
    for (let number = free; number >= 1; number--)
      await rename(pathOf(number - 1), pathOf(number)).catch((error: unknown) => {
        if (!isErrno(error, "ENOENT")) throw error;
      });
  }

  /** Writes a line, after a line break if a full disk has cut off the one before. */
  async function append(handle: FileHandle, size: number, line: string): Promise<void> {
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    const isCut = size > 0 && buffer[0] !== NEWLINE;
    await handle.writeFile(`${isCut ? "\n" : ""}${line}\n`);
  }

  const openFile = () => open(file, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);

  async function write(entry: AuditEntry): Promise<void> {
    makeFolders(folder);
    const line = JSON.stringify(entry);
    let handle = await openFile();
    try {
      let found = await handle.stat();
      if (!found.isFile()) throw new Error("not a file");
      if (found.size > 0 && found.size + Buffer.byteLength(line) >= rotateBytes) {
        await handle.close();
        // A file that is too long is better than a lost entry.
        await rotate().catch((error: unknown) =>
          log.error({ file, error }, "Could not rotate the audit log: it continues in the same file"),
        );
        handle = await openFile();
        found = await handle.stat();
      }
      // Not every file system knows modes.
      if ((found.mode & 0o077) !== 0) await handle.chmod(0o600).catch(() => undefined);
      await append(handle, found.size, line);
    } finally {
      await handle.close();
    }
  }

  /** The last lines of a file, newest first, of which the last may be cut off; none if it does not exist. */
  async function tailOf(path: string): Promise<string[]> {
    const handle = await open(path, O_RDONLY | O_NONBLOCK).catch((error: unknown) => {
      if (isErrno(error, "ENOENT")) return undefined;
      throw error;
    });
    if (handle === undefined) return [];
    try {
      const { size } = await handle.stat();
      const from = Math.max(0, size - TAIL_BYTES);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
      return buffer.toString("utf8", 0, bytesRead).split("\n").reverse();
    } finally {
      await handle.close();
    }
  }

  /** Lines that the reading, a crash or a full disk has cut off are left out. */
  async function newest(limit: number): Promise<unknown[]> {
    const found: unknown[] = [];
    for (const path of [pathOf(0), pathOf(1)]) {
      for (const line of found.length < limit ? await tailOf(path) : []) {
        const read = checkJson(anything, line);
        if ("value" in read && isObject(read.value) && found.length < limit) found.push(read.value);
      }
    }
    return found;
  }

  return {
    newest,
    write(entry) {
      last = last
        .then(() => write(entry))
        .catch((error: unknown) => {
          // "by" as in the other lines about changes, and "player" because a log shows "name" as its own.
          const { key: by, name: player, ...what } = { key: undefined, ...entry };
          log.error({ file, error, by, player, ...what }, "Could not write the audit log");
        });
      return last;
    },
  };
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

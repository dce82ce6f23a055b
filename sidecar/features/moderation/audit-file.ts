import { constants } from "node:fs";
import { type FileHandle, lstat, open, rename } from "node:fs/promises";
import { join } from "node:path";
import { isErrno } from "../../../cli/errno.ts";
import { makeFolders } from "../../../cli/folders.ts";
import type { Log } from "../../platform/log.ts";
import type { Audit, AuditEntry } from "./audit.ts";

export const AUDIT_FILE = "audit.jsonl";

/** Size at which a new file is begun, in bytes. */
const ROTATE_BYTES = 10 * 1024 * 1024;
/** Files that are kept besides the one that is written: `.1` is the newest of them. */
export const KEPT_FILES = 5;

const NEWLINE = 10;
// A named pipe must not block the write.
const { O_APPEND, O_CREAT, O_RDWR, O_NONBLOCK = 0 } = constants;

/** The audit log in the file `audit.jsonl` of a folder: one JSON object in each line, for this user only. */
export function openAuditFile(folder: string, log: Pick<Log, "error">, rotateBytes = ROTATE_BYTES): Audit {
  const file = join(folder, AUDIT_FILE);
  let last: Promise<void> = Promise.resolve();

  const kept = (number: number): string => (number === 0 ? file : `${file}.${number}`);

  /** Moves only the files that it has to: a rotation that fails, such as for an open file, loses none and is tried again. */
  async function rotate(): Promise<void> {
    let free = 1;
    while (free < KEPT_FILES && (await isThere(kept(free)))) free++;
    for (let number = free; number >= 1; number--)
      await rename(kept(number - 1), kept(number)).catch((error: unknown) => {
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
      if (!found.isFile()) throw new Error("it is no file");
      if (found.size > 0 && found.size + Buffer.byteLength(line) >= rotateBytes) {
        await handle.close();
        // A file that is too long is better than a lost entry.
        await rotate().catch((error: unknown) =>
          log.error({ file, error }, "the audit cannot be turned over: it goes on in the same file"),
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

  return {
    write(entry) {
      last = last
        .then(() => write(entry))
        .catch((error: unknown) => {
          // No field of a line may be called a key.
          const { key: holder, ...what } = { key: undefined, ...entry };
          log.error({ file, error, holder, ...what }, "could not write the audit log");
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

import { constants } from "node:fs";
import { type FileHandle, mkdir, open, rename } from "node:fs/promises";
import { join } from "node:path";
import { isErrno } from "../../cli/errno.ts";
import type { Audit, AuditEntry, Log } from "../ports.ts";

export const AUDIT_FILE = "audit.jsonl";

/** Size at which a new file is begun, in bytes. */
const TURN_BYTES = 10 * 1024 * 1024;
/** Files that are kept besides the one that is written: `.1` is the newest of them. */
export const KEPT_FILES = 5;

const NEWLINE = 10;
// A pipe in the place of the file would keep the answer waiting for ever.
const { O_APPEND, O_CREAT, O_RDWR, O_NONBLOCK = 0 } = constants;

/** The record of changes in the file `audit.jsonl` of a folder: one JSON object in each line, for this user only. */
export function openAuditFile(folder: string, log: Pick<Log, "error">, turnBytes = TURN_BYTES): Audit {
  const file = join(folder, AUDIT_FILE);
  let last: Promise<void> = Promise.resolve();

  async function turn(): Promise<void> {
    for (let number = KEPT_FILES; number >= 1; number--)
      await rename(number === 1 ? file : `${file}.${number - 1}`, `${file}.${number}`).catch(
        (error: unknown) => {
          if (!isErrno(error, "ENOENT")) throw error;
        },
      );
  }

  /** Writes all of a line, or none that somebody could take for one: what a full disk has cut off ends before the next. */
  async function append(handle: FileHandle, size: number, line: string): Promise<void> {
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    const isCut = size > 0 && buffer[0] !== NEWLINE;
    await handle.writeFile(`${isCut ? "\n" : ""}${line}\n`);
  }

  async function write(entry: AuditEntry): Promise<void> {
    await mkdir(folder, { recursive: true });
    const line = JSON.stringify(entry);
    let handle = await open(file, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
    try {
      let found = await handle.stat();
      if (!found.isFile()) throw new Error("it is no file");
      if (found.size > 0 && found.size + Buffer.byteLength(line) >= turnBytes) {
        await handle.close();
        await turn();
        handle = await open(file, O_RDWR | O_APPEND | O_CREAT, 0o600);
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
          const { key: holder, ...change } = entry;
          log.error(
            { file, error, holder, ...change },
            "a change of the whitelist could not be written into the audit: it was made, or tried, all the same",
          );
        });
      return last;
    },
  };
}

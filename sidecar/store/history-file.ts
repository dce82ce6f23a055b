import { appendFile, lstat, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isErrno } from "../../cli/errno.ts";
import type { HistoryPoint } from "../../client/types.ts";
import { checkJson } from "../../shared/guard.ts";
import { HISTORY_POINTS, storedPoint } from "../domain/history.ts";
import type { Clock, HistoryStore, Log } from "../ports.ts";

/** How often the newest points are written, in milliseconds: a disk may be slow, or wear out. */
const WRITE_MS = 60_000;
/** Lines after which the file is written anew with those that count. */
const MOST_LINES = 2 * HISTORY_POINTS;
/** Bytes of a file that is read: more than that many lines have. */
const MOST_BYTES = 1024 * 1024;

export interface HistoryFile extends HistoryStore {
  /** Writes what is left. */
  close(): Promise<void>;
}

/** The plots in the file `history.jsonl` of a folder, a point in each line. What cannot be read or written is missing in them. */
export function createHistoryFile(folder: string, clock: Clock, log: Pick<Log, "warn">): HistoryFile {
  const path = join(folder, "history.jsonl");
  /** the newest, also those that are not written yet */
  let lines: string[] = [];
  let unwritten = 0;
  let written = 0;
  let isFailing = false;
  let writing: Promise<void> = Promise.resolve();

  async function text(): Promise<string> {
    const found = await lstat(path);
    if (!found.isFile() || found.size > MOST_BYTES) throw new Error("is no file of this service");
    return readFile(path, "utf8");
  }

  async function write(): Promise<void> {
    const fresh = lines.slice(-unwritten);
    if (unwritten === 0) return;
    unwritten = 0;
    try {
      await mkdir(folder, { recursive: true });
      if (written + fresh.length > MOST_LINES) {
        await writeFile(`${path}.new`, joined(lines), { mode: 0o600 });
        await rename(`${path}.new`, path);
        written = lines.length;
      } else {
        // The end of a line that a crash has cut short is not the beginning of another.
        await appendFile(path, `\n${joined(fresh)}`, { mode: 0o600 });
        written += fresh.length;
      }
      isFailing = false;
    } catch (error) {
      if (!isFailing)
        log.warn({ error }, "the plots would have a hole after a restart: they cannot be stored");
      isFailing = true;
    }
  }

  function writeSoon(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  const stop = clock.every(WRITE_MS, () => void writeSoon());
  return {
    async read() {
      const stored = await text().catch((error: unknown) => {
        if (!isErrno(error, "ENOENT")) log.warn({ error }, "the plots of before cannot be read");
        // What is no file of this service is not added to.
        written = isErrno(error, "ENOENT") ? 0 : MOST_LINES;
        return "";
      });
      const points: HistoryPoint[] = [];
      for (const line of stored.split("\n")) {
        const read = checkJson(storedPoint, line);
        if ("value" in read) points.push(read.value);
        if (line !== "") written++;
      }
      lines = points.map(point => JSON.stringify(point)).slice(-HISTORY_POINTS);
      return points;
    },
    async add(_slot, point) {
      lines = [...lines, JSON.stringify(point)].slice(-HISTORY_POINTS);
      unwritten = Math.min(unwritten + 1, HISTORY_POINTS);
    },
    async close() {
      stop();
      await writeSoon();
    },
  };
}

const joined = (lines: readonly string[]): string => lines.map(line => `${line}\n`).join("");

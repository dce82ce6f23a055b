import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, jest } from "@jest/globals";
import { openFeedFile } from "../../sidecar/features/feed/files/feed-file.ts";
import { createFeedLog } from "../../sidecar/features/feed/files/feed-log.ts";
import type { OwnLog } from "../../sidecar/kernel/storage/ports/feed.ts";
import { ManualClock } from "../helpers/clock.ts";
import { RecordingLog } from "../helpers/log.ts";

/** Folders for files of the feed, which are gone after the tests of a file, and what opens logs in them. */
export function feedFolders() {
  const base = mkdtempSync(join(tmpdir(), "feed "));
  afterAll(() => rmSync(base, { recursive: true, force: true }));
  let count = 0;
  const opened: OwnLog[] = [];
  afterEach(async () => {
    for (const log of opened.splice(0)) await log.close();
  });
  return {
    newFolder: (): string => join(base, String(count++)),
    /** A log of 5 entries, which is closed after the test unless the test has closed it. */
    open(
      folder: string,
      { clock = new ManualClock(), log = new RecordingLog(), forMs = 3_600_000 } = {},
    ): OwnLog {
      const made = createFeedLog({
        clock,
        log,
        bounds: { entries: 5, forMs },
        file: openFeedFile(folder, log),
      });
      let closed: Promise<void> | undefined;
      const close = (): Promise<void> => {
        closed ??= made.close();
        return closed;
      };
      const own = { ...made, close };
      opened.push(own);
      return own;
    },
    /** What somebody else does with the file. */
    inFile<T>(folder: string, act: (database: DatabaseSync) => T): T {
      const database = new DatabaseSync(join(folder, "feed.db"));
      try {
        return act(database);
      } finally {
        database.close();
      }
    },
  };
}

/** Has no room for a table more while it does this. */
export function onFullDisk(act: () => void): void {
  const exec = DatabaseSync.prototype.exec;
  const disk = jest.spyOn(DatabaseSync.prototype, "exec").mockImplementation(function (
    this: DatabaseSync,
    statement,
  ) {
    if (!statement.startsWith("CREATE TABLE IF NOT EXISTS")) return exec.call(this, statement);
    throw Object.assign(new Error("database or disk is full"), { code: "ERR_SQLITE_ERROR", errcode: 13 });
  });
  try {
    act();
  } finally {
    disk.mockRestore();
  }
}

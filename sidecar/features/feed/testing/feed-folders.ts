import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, jest } from "@jest/globals";
import { ManualClock } from "../../../../test/helpers/clock.ts";
import { type FirstLog, memoryFeedLog } from "../../../../test/helpers/feed-log.ts";
import { RecordingLog } from "../../../../test/helpers/log.ts";
import { openFeed } from "../../../files.ts";
import { createHistoryStore, type HistoryStore } from "../../status/records.ts";
import { createHookStore, type HookStore } from "../../webhooks/records.ts";

/** The feed and the other records of its file. */
export interface OpenedFeed extends FirstLog {
  hooks: HookStore;
  history(server: string): HistoryStore;
  records: ReturnType<typeof openFeed>;
}

/** Creates folders for feed files, and logs in them. The folders are removed after the tests of a file. */
export function feedFolders() {
  const base = mkdtempSync(join(tmpdir(), "feed "));
  afterAll(() => rmSync(base, { recursive: true, force: true }));
  let count = 0;
  const opened: OpenedFeed[] = [];
  afterEach(async () => {
    for (const log of opened.splice(0)) await log.close();
  });
  return {
    newFolder: (): string => join(base, String(count++)),
    /** A log of 5 entries, closed after the test unless the test has closed it. */
    open(
      folder: string,
      { clock = new ManualClock(), log = new RecordingLog(), forMs = 3_600_000 } = {},
    ): OpenedFeed {
      const records = openFeed(folder, log, clock);
      const made = memoryFeedLog(clock, 5, forMs, records);
      let closed: Promise<void> | undefined;
      const close = (): Promise<void> => {
        closed ??= made.close().then(records.close);
        return closed;
      };
      const hooks = createHookStore(records);
      const history = (server: string) => createHistoryStore(records, server);
      const feed = { ...made, close, hooks, history, records };
      opened.push(feed);
      return feed;
    },
    /** Runs SQL on the file, as another process. */
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

/** Simulates a full disk for all files, until it is restored. */
export class FullDisk {
  /** number of attempted writes */
  tries = 0;
  readonly #spy: { mockRestore(): void };

  constructor() {
    const exec = DatabaseSync.prototype.exec;
    const note = (): void => void this.tries++;
    const before = new WeakMap<DatabaseSync, unknown>();
    const changesOf = (database: DatabaseSync): unknown =>
      database.prepare("SELECT total_changes() AS changes").get()?.changes;
    this.#spy = jest.spyOn(DatabaseSync.prototype, "exec").mockImplementation(function (
      this: DatabaseSync,
      statement,
    ) {
      if (statement.startsWith("BEGIN")) before.set(this, changesOf(this));
      if (statement !== "COMMIT" || changesOf(this) === before.get(this)) return exec.call(this, statement);
      note();
      exec.call(this, "ROLLBACK");
      throw Object.assign(new Error("database or disk is full"), { code: "ERR_SQLITE_ERROR", errcode: 13 });
    });
  }

  restore(): void {
    this.#spy.mockRestore();
  }
}

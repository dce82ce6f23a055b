import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { RecordingLog } from "../../../../test/helpers/log.ts";
import { needs } from "../../../../test/helpers/needs.ts";
import { openFile } from "../../../files.ts";
import { closeDatabase, StoreError } from "./database.ts";

const base = mkdtempSync(join(tmpdir(), "database-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(base, "folder-"));
  file = join(folder, "links.db");
});
const links = () => openFile(folder, "links.db", new RecordingLog());

describe("a file of the storage", () => {
  it("can be closed on a full disk without losing data", () => {
    const database = new DatabaseSync(file);
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE one (a); INSERT INTO one VALUES (1)");
    database.exec = () => {
      throw new Error("database or disk is full");
    };
    closeDatabase(database);
    expect(database.isOpen).toBe(false);
    const next = new DatabaseSync(file);
    expect(next.prepare("SELECT a FROM one").all()).toEqual([{ a: 1 }]);
    next.close();
  });

  it("is opened once another process has released its lock", () => {
    const other = new DatabaseSync(file);
    other.exec("BEGIN IMMEDIATE");
    const pause = jest.spyOn(Atomics, "wait").mockImplementation(() => {
      other.exec("COMMIT");
      return "timed-out";
    });
    const opened = links();
    opened.open();
    expect(pause).toHaveBeenCalledTimes(1);
    pause.mockRestore();
    opened.close();
    other.close();
  });

  const FDS = "/proc/self/fd";
  needs("/proc/self/fd", existsSync(FDS)).it(
    "is not left open if it is unusable, however often that is tried",
    () => {
      writeFileSync(file, "something else ".repeat(999));
      for (let i = 0; i < 20; i++) expect(() => links().open()).toThrow(StoreError);
      const isOfFile = (fd: string): boolean => {
        try {
          return readlinkSync(join(FDS, fd)) === file;
        } catch {
          return false;
        }
      };
      expect(readdirSync(FDS).filter(isOfFile)).toEqual([]);
    },
  );
});

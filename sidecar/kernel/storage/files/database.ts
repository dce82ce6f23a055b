import { closeSync, existsSync, openSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { isErrno, reasonIn } from "../../../../cli/errno.ts";
import { makeFolders } from "../../../../cli/folders.ts";
import { openSqlite } from "../../../../cli/sqlite.ts";
import { StorageFull } from "../ports.ts";

/** The store cannot be used. The message is one line and names the file. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

/** How long one process waits for another to finish writing, in milliseconds. */
const BUSY_MS = 5000;
const RETRY_MS = 20;

/** Tables of a database file. */
export interface Schema {
  /** of the newest tables */
  version: number;
  /** Creates the tables, or migrates those of an earlier version; 0: there are none. */
  migrate(database: DatabaseSync, from: number): void;
}

/** How much of a file is checked: checking a large one completely takes too long at start. */
export type CheckScope = "whole" | "head";

/**
 * Opens the database file, creates it if it is missing, and migrates its tables. A file that is damaged, of a newer version or of
 * another program is left unchanged.
 * @throws StoreError
 */
export function openDatabase(file: string, schema: Schema, checkScope: CheckScope = "whole"): DatabaseSync {
  let opened: DatabaseSync | undefined;
  try {
    makeFolders(dirname(file));
    for (const path of filesOf(file)) rejectNonFile(path);
    // It contains the secrets that identify browsers, so only this user may read it.
    closeSync(openSync(file, "a", 0o600));
    const database = openSqlite(file, BUSY_MS);
    opened = database;
    // Sort in memory: a container may have no folder for temporary files.
    database.exec("PRAGMA temp_store = MEMORY");
    rejectUnusable(database, file, schema.version, checkScope);
    if (checkScope === "head" && isTruncated(database, file)) throw damagedError(file);
    retryWhileBusy(() => database.exec("PRAGMA journal_mode = WAL"));
    database.exec("PRAGMA synchronous = FULL");
    keepCopy(database, file, schema);
    migrate(database, schema);
    return database;
  } catch (error) {
    // Some files are opened again and again.
    opened?.close();
    if (error instanceof StoreError) throw error;
    throw new StoreError(`${file}: cannot be used: ${reasonIn(dirname(file), error)}`, { cause: error });
  }
}

/**
 * Removes a database, unless it belongs to another program.
 * @throws StoreError if something else has its name
 */
export function removeDatabase(file: string, { version }: Schema): void {
  const files = filesOf(file);
  for (const path of files) rejectNonFile(path);
  if (!isOfAnotherProgram(file, version)) for (const path of files) rmSync(path, { force: true });
}

/** Whether there is a file with tables of another program. */
function isOfAnotherProgram(file: string, version: number): boolean {
  if (!existsSync(file)) return false;
  const database = openSqlite(file);
  try {
    return whyUnusable(database, version, "head") === "foreign";
  } finally {
    database.close();
  }
}

/** Closes a database; if the disk is full, its write-ahead log stays beside it. */
export function closeDatabase(database: DatabaseSync): void {
  if (!database.isOpen) return;
  try {
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // Nothing is lost: the next open reads both files.
  }
  database.close();
}

/** The files of a database. */
const filesOf = (file: string): string[] => ["", "-wal", "-shm", "-journal"].map(end => `${file}${end}`);

/** Rejects anything but a file: opening a pipe would block forever. */
function rejectNonFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return;
  const what = found.isDirectory() ? "a folder" : "a pipe or a device";
  throw new StoreError(`${path}: is ${what}, expected a file: move it elsewhere`);
}

/** Retries while another process has locked the file: SQLite does not wait in this step. */
function retryWhileBusy(step: () => void): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let left = BUSY_MS; ; left -= RETRY_MS) {
    try {
      step();
      return;
    } catch (error) {
      if (left <= 0 || !isErrno(error, "SQLITE_BUSY")) throw error;
      Atomics.wait(pause, 0, 0, RETRY_MS);
    }
  }
}

const PUT_BACK = "it was left unchanged; put a backup in its place, or move it away to start fresh";

/** The error for a damaged file. */
export const damagedError = (file: string): StoreError => new StoreError(`${file}: is damaged: ${PUT_BACK}`);

/** @throws StoreError */
function rejectUnusable(database: DatabaseSync, file: string, newest: number, checkScope: CheckScope): void {
  const because = (why: string): StoreError => new StoreError(`${file}: ${why}`);
  switch (whyUnusable(database, newest, checkScope)) {
    case "damaged":
      throw damagedError(file);
    case "newer": {
      const version = versionOf(database);
      throw because(
        `has tables of version ${version}, and this program knows version ${newest}: update the program`,
      );
    }
    case "foreign":
      throw because("belongs to another program: choose another folder");
    case undefined:
  }
}

/** Whether a file is truncated, which SQLite would notice only page by page. No other process may be writing to it. */
function isTruncated(database: DatabaseSync, file: string): boolean {
  const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const row = database
    .prepare("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size")
    .get();
  return sizeOf(`${file}-wal`) === 0 && sizeOf(file) < Number(row?.bytes);
}

/** Keeps a copy of the earlier version's file beside the new one, for going back to that version. */
function keepCopy(database: DatabaseSync, file: string, schema: Schema): void {
  const version = versionOf(database);
  const copy = `${file}.v${version}`;
  if (version === 0 || version === schema.version || existsSync(copy)) return;
  closeSync(openSync(copy, "wx", 0o600));
  try {
    database.prepare("VACUUM INTO ?").run(copy);
  } catch (error) {
    rmSync(copy, { force: true });
    throw error;
  }
}

function migrate(database: DatabaseSync, schema: Schema): void {
  transaction(database, () => {
    // Another process may have migrated it by now.
    const version = versionOf(database);
    if (version >= schema.version) return;
    schema.migrate(database, version);
    database.exec(`PRAGMA user_version = ${schema.version}`);
  });
}

/**
 * Runs a step in a transaction without waiting for the disk: its changes survive the end of the process, but may be lost in a power
 * failure.
 * @throws StorageFull if there is no space
 */
export function quickTransaction<T>(database: DatabaseSync, step: () => T): T {
  database.exec("PRAGMA synchronous = NORMAL");
  try {
    return transaction(database, step);
  } finally {
    database.exec("PRAGMA synchronous = FULL");
  }
}

/**
 * Runs a step while no other process writes. Its changes are on disk when this returns, and rolled back if it throws.
 * @throws StorageFull if there is no space
 */
export function transaction<T>(database: DatabaseSync, step: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = step();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // SQLite rolls back automatically when the disk is full.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw isErrno(error, "SQLITE_FULL") ? new StorageFull("no room", { cause: error }) : error;
  }
}

/** Why a database cannot be used; undefined: it can. Changes nothing in it. */
function whyUnusable(
  database: DatabaseSync,
  newest: number,
  checkScope: CheckScope = "whole",
): "damaged" | "newer" | "foreign" | undefined {
  if (isCorrupt(database, checkScope)) return "damaged";
  // In one transaction, so that either all or none of the tables of another process are visible.
  database.exec("BEGIN");
  const version = versionOf(database);
  const tables = database.prepare("SELECT name FROM sqlite_master LIMIT 1").all();
  database.exec("COMMIT");
  if (version > newest) return "newer";
  return version === 0 && tables.length > 0 ? "foreign" : undefined;
}

const CHECKS: Readonly<Record<CheckScope, string>> = {
  whole: "PRAGMA quick_check(1)",
  head: "PRAGMA quick_check(sqlite_schema)",
};

function isCorrupt(database: DatabaseSync, checkScope: CheckScope): boolean {
  try {
    const found = database.prepare(CHECKS[checkScope]).all()[0];
    return found?.quick_check !== "ok";
  } catch (error) {
    if (isCorruption(error)) return true;
    throw error;
  }
}

/** Whether a statement failed because the file is damaged. A valid file has no integer beyond the safe range. */
export const isCorruption = (error: unknown): boolean =>
  isErrno(error, "SQLITE_NOTADB", "SQLITE_CORRUPT", "ERR_OUT_OF_RANGE");

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.user_version);
}

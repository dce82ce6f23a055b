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

/** What a database file holds. */
export interface Schema {
  /** of its newest tables */
  version: number;
  /** Makes its tables, or brings those of an earlier version up to date; 0: there are none. */
  migrate(database: DatabaseSync, from: number): void;
}

/** How much of a file is looked at: a large one as a whole takes too long for the start. */
export type Look = "whole" | "head";

/**
 * Opens the database file, makes it when it is missing, and brings its tables up to date. A file that is damaged,
 * of a newer version or of another program is left as it is.
 * @throws StoreError
 */
export function openDatabase(file: string, schema: Schema, look: Look = "whole"): DatabaseSync {
  let opened: DatabaseSync | undefined;
  try {
    makeFolders(dirname(file));
    for (const path of filesOf(file)) refuseUnfit(path);
    // It holds what browsers identify themselves with, so that it is for this user alone.
    closeSync(openSync(file, "a", 0o600));
    const database = openSqlite(file, BUSY_MS);
    opened = database;
    // Sorting needs no folder for temporary files: a container may have none.
    database.exec("PRAGMA temp_store = MEMORY");
    refuseUnusable(database, file, schema.version, look);
    if (look === "head" && isCut(database, file)) throw isDamaged(file);
    retryWhileBusy(() => database.exec("PRAGMA journal_mode = WAL"));
    database.exec("PRAGMA synchronous = FULL");
    keepCopy(database, file, schema);
    migrate(database, schema);
    return database;
  } catch (error) {
    // Some are tried again and again.
    opened?.close();
    if (error instanceof StoreError) throw error;
    throw new StoreError(`${file}: cannot be used: ${reasonIn(dirname(file), error)}`, { cause: error });
  }
}

/**
 * Removes a database, but for one of another program.
 * @throws StoreError where something else has its name
 */
export function removeDatabase(file: string, { version }: Schema): void {
  const files = filesOf(file);
  for (const path of files) refuseUnfit(path);
  if (!isOfAnotherProgram(file, version)) for (const path of files) rmSync(path, { force: true });
}

/** Whether there is a file that has tables of another program. */
function isOfAnotherProgram(file: string, version: number): boolean {
  if (!existsSync(file)) return false;
  const database = openSqlite(file);
  try {
    return whyUnusable(database, version, "head") === "foreign";
  } finally {
    database.close();
  }
}

/** Closes a database in one file, or with the rest of what it wrote beside it where the disk is full. */
export function closeDatabase(database: DatabaseSync): void {
  if (!database.isOpen) return;
  try {
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // Nothing is lost: whoever opens it next reads both files.
  }
  database.close();
}

/** A database, and what SQLite writes beside it. */
const filesOf = (file: string): string[] => ["", "-wal", "-shm", "-journal"].map(end => `${file}${end}`);

/** Opening a pipe would wait for ever. */
function refuseUnfit(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return;
  const what = found.isDirectory() ? "a folder" : "a pipe or a device";
  throw new StoreError(`${path}: is ${what}, expected a file: move it elsewhere`);
}

/** Tries again while another process has the file to itself: for this one step SQLite does not wait by itself. */
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

const PUT_BACK = "it was left as it is; put a backup in its place, or move it away to begin anew";

/** The fault of a file that is found to be damaged. */
export const isDamaged = (file: string): StoreError => new StoreError(`${file}: is damaged: ${PUT_BACK}`);

/** @throws StoreError */
function refuseUnusable(database: DatabaseSync, file: string, newest: number, look: Look): void {
  const because = (why: string): StoreError => new StoreError(`${file}: ${why}`);
  switch (whyUnusable(database, newest, look)) {
    case "damaged":
      throw isDamaged(file);
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

/** Whether the end of a file is gone, which nobody else may be writing to: SQLite would find that out page by page. */
function isCut(database: DatabaseSync, file: string): boolean {
  const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const row = database
    .prepare("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size")
    .get();
  return sizeOf(`${file}-wal`) === 0 && sizeOf(file) < Number(row?.bytes);
}

/** Keeps what an earlier version has written beside the file, for whoever goes back to that version. */
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
    // Another process may have done it in between.
    const version = versionOf(database);
    if (version >= schema.version) return;
    schema.migrate(database, version);
    database.exec(`PRAGMA user_version = ${schema.version}`);
  });
}

/**
 * Runs a step as `transaction` does, without waiting for the disk: what it wrote outlives the process, and may be gone
 * when the power fails.
 * @throws StorageFull when there is no room for it
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
 * Runs a step while no other process writes. What it wrote is on the disk when this returns, or gone if it throws.
 * @throws StorageFull when there is no room for it
 */
export function transaction<T>(database: DatabaseSync, step: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = step();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // A full disk ends the transaction by itself.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw isErrno(error, "SQLITE_FULL") ? new StorageFull("no room", { cause: error }) : error;
  }
}

/** Why a database cannot be used; undefined: it can. Nothing is changed in it. */
function whyUnusable(
  database: DatabaseSync,
  newest: number,
  look: Look = "whole",
): "damaged" | "newer" | "foreign" | undefined {
  if (isCorrupt(database, look)) return "damaged";
  // In one transaction, so that another process that makes the tables meanwhile has done all of it or nothing.
  database.exec("BEGIN");
  const version = versionOf(database);
  const tables = database.prepare("SELECT name FROM sqlite_master LIMIT 1").all();
  database.exec("COMMIT");
  if (version > newest) return "newer";
  return version === 0 && tables.length > 0 ? "foreign" : undefined;
}

const CHECKS: Readonly<Record<Look, string>> = {
  whole: "PRAGMA quick_check(1)",
  head: "PRAGMA quick_check(sqlite_schema)",
};

function isCorrupt(database: DatabaseSync, look: Look): boolean {
  try {
    const found = database.prepare(CHECKS[look]).all()[0];
    return found?.quick_check !== "ok";
  } catch (error) {
    if (isOfDamage(error)) return true;
    throw error;
  }
}

/** Whether a statement has failed because the file is damaged. No integer in it is larger than a number can hold exactly. */
export const isOfDamage = (error: unknown): boolean =>
  isErrno(error, "SQLITE_NOTADB", "SQLITE_CORRUPT", "ERR_OUT_OF_RANGE");

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.user_version);
}

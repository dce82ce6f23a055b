import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { openLinksFile } from "../../../test/helpers/files.ts";
import { ODD_NAME } from "../../../test/helpers/folder.ts";
import type { OwnStore } from "../../../test/helpers/memory-store.ts";
import { needs } from "../../../test/helpers/needs.ts";
import { openFile } from "../../files.ts";
import { openDatabase, StoreError, transaction } from "../../kernel/storage/files/database.ts";
import { StorageFull } from "../../kernel/storage/ports.ts";
import { accepted, asking, describeStore, pending, put } from "./records.contract.ts";
import { type LinkRecord, NO_LINK } from "./rules/links.ts";

const base = mkdtempSync(join(tmpdir(), `store${ODD_NAME}`));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let count = 0;
const newFolder = (): string => join(base, String(count++));
const warnings: { fields: object; message: string }[] = [];
const log = { warn: (fields: object, message: string) => void warnings.push({ fields, message }) };
const opened: OwnStore[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});
/** A store that is always closed after the test: it can be closed twice. */
function open(folder: string): OwnStore {
  const store = openLinksFile(folder, log);
  opened.push(store);
  return store;
}

describeStore("the store in a file", async () => open(newFolder()));

describe("the file of the store", () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = newFolder();
    file = join(folder, "links.db");
    warnings.splice(0);
  });

  it("reports a full disk, and keeps stored links", async () => {
    const store = open(folder);
    await put(store, "first", pending("request", 50));
    const database = openFile(folder, "links.db", log).open();
    database.exec("PRAGMA max_page_count = 60");
    const insert = database.prepare("INSERT INTO 'meta records' (key, record) VALUES (?, ?)");
    const fill = () =>
      transaction(database, () => {
        for (let i = 0; i < 1_000; i++) insert.run(`${i}`, "x".repeat(1_000));
      });
    expect(fill).toThrow(StorageFull);
    expect(await store.read("first")).toEqual(pending("request", 50));
    await store.checkWritable();
    database.close();
  });

  it("flushes to disk when a link begins or ends, and not for a request", async () => {
    const store = open(folder);
    const levels: unknown[] = [];
    const real = DatabaseSync.prototype.exec;
    const exec = jest.spyOn(DatabaseSync.prototype, "exec").mockImplementation(function (
      this: DatabaseSync,
      sql,
    ) {
      if (sql === "COMMIT") levels.push(this.prepare("PRAGMA synchronous").all()[0]);
      return real.call(this, sql);
    });
    const [normal, full] = [1, 2];
    const steps: [LinkRecord, number][] = [
      [asking("r"), normal],
      [NO_LINK, normal],
      [asking("s"), normal],
      [pending("s"), normal],
      [accepted, full],
      [{ ...accepted, ...asking("t"), link: accepted.link }, normal],
      [accepted, normal],
      [pending("u"), full],
      [{ link: { status: "declined", until: 60 } }, full],
      [pending("v"), normal],
      [NO_LINK, full],
    ];
    for (const [record, level] of steps) {
      await put(store, "session", record);
      expect(levels.splice(0).at(-1)).toMatchObject({ synchronous: level });
      expect(await store.read("session")).toEqual(record);
    }
    await store.checkWritable();
    expect(levels).toMatchObject([{ synchronous: full }]);
    exec.mockRestore();
  });

  /** Creates a file with one linked session and runs a statement on it. */
  const meddle = async (sql: string): Promise<void> => {
    const store = open(folder);
    await put(store, "session-1", pending("request-1", 50));
    await store.close();
    const database = new DatabaseSync(file);
    database.exec(sql);
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
  };

  needs("file modes, not Windows", process.platform !== "win32").it("is for its user alone", () => {
    void open(folder).close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  needs("pipes, not Windows", process.platform !== "win32").all(() =>
    it.each([
      ["a pipe", (path: string) => void spawnSync("mkfifo", [path]), "a pipe or a device"],
      ["a link to a device", (path: string) => symlinkSync("/dev/zero", path), "a pipe or a device"],
      ["a folder", (path: string) => void mkdirSync(path), "a folder"],
    ])("rejects %s in place of the file, or of the files beside it", (_name, make, what) => {
      mkdirSync(folder, { recursive: true });
      for (const path of [file, `${file}-wal`]) {
        make(path);
        const why = `${path}: is ${what}, expected a file: move it elsewhere`;
        expect(() => open(folder)).toThrow(new StoreError(why));
        rmSync(path, { recursive: true });
      }
    }),
  );

  it("treats a damaged record as missing, and logs that once without the session", async () => {
    await meddle(`UPDATE "links records" SET record = '{"link":{"status":"secretive"}}'`);
    const store = open(folder);
    expect(await store.read("session-1")).toEqual(NO_LINK);
    expect(await store.open(9)).toEqual([]);
    expect(warnings).toEqual([{ fields: { file }, message: "A stored link is damaged and ignored" }]);
    expect(JSON.stringify(warnings)).not.toMatch(/session-1|secretive/);
  });

  it("finds nothing due and no link in a damaged record once it is replaced", async () => {
    const store = open(folder);
    await put(store, "session-9", { link: { status: "not_linked", until: 5 } });
    await store.close();
    await meddle(`UPDATE "links records" SET record = 'no json'`);
    const again = open(folder);
    const due = await again.due(Number.MAX_SAFE_INTEGER, 9);
    expect(due).toContain("session-9");
    for (const session of due) await again.change(session, record => ({ record, answer: undefined }));
    expect(await again.due(Number.MAX_SAFE_INTEGER, 9)).toEqual([]);
  });

  it("rejects tables of a newer version", async () => {
    await meddle("PRAGMA user_version = 99");
    expect(() => open(folder)).toThrow(StoreError);
    expect(() => open(folder)).toThrow(`${file}: has tables of version 99, and this program knows version 3`);
  });

  it("rejects a file of another program", () => {
    mkdirSync(folder);
    const other = new DatabaseSync(file);
    other.exec("CREATE TABLE theirs (a)");
    other.close();
    expect(() => open(folder)).toThrow(`${file}: belongs to another program`);
  });

  it.each([
    ["that is no database", () => Buffer.alloc(8192, "something else ")],
    ["that ends too early", (whole: Buffer) => whole.subarray(0, whole.length - 4096)],
    ["with a page overwritten", (whole: Buffer) => Buffer.from(whole).fill(0x55, 4096 * 2, 4096 * 4)],
  ])("rejects a file %s and does not change it", async (_, damage) => {
    const store = open(folder);
    for (let i = 0; i < 30; i++) await put(store, `session-${i}`, pending(`request-${i}`));
    await store.close();
    const damaged = damage(readFileSync(file));
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    writeFileSync(file, damaged);
    expect(() => open(folder)).toThrow(StoreError);
    expect(() => open(folder)).toThrow(`${file}: is damaged: it was left unchanged`);
    expect(readFileSync(file).equals(damaged)).toBe(true);
  });

  it("sorts in memory, and waits for another process that writes", () => {
    const database = openFile(folder, "links.db", log).open();
    expect(database.prepare("PRAGMA temp_store").get()).toEqual({ temp_store: 2 });
    expect(database.prepare("PRAGMA busy_timeout").get()).toEqual({ timeout: 5000 });
    database.close();
  });

  it("rolls back a migration that fails", () => {
    mkdirSync(folder);
    const migrate = (database: DatabaseSync): void =>
      database.exec("CREATE TABLE one (a); CREATE TABLE one (a)");
    expect(() => openDatabase(file, { version: 1, migrate })).toThrow(StoreError);
    const database = openDatabase(file, { version: 0, migrate });
    expect(database.prepare("SELECT name FROM sqlite_master").all()).toEqual([]);
    database.close();
  });
});

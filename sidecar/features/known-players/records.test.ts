import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { ODD_NAME } from "../../../test/helpers/folder.ts";
import { RecordingLog } from "../../../test/helpers/log.ts";
import { openKnownPlayers } from "../../files.ts";
import { StorageFull } from "../../kernel/storage/ports.ts";
import { describeKnown } from "./records.contract.ts";
import { away, MANY, put, there, uuidOf, uuidsOf, walk } from "./testing/known-records.ts";

const base = mkdtempSync(join(tmpdir(), `known${ODD_NAME}`));
afterAll(() => rmSync(base, { recursive: true, force: true }));
let count = 0;
const newFolder = (): string => join(base, String(count++));

describeKnown("those who have been here, in a file", async () => {
  const folder = newFolder();
  // Only some of the tests have more names with the same prefix.
  const open = () => openKnownPlayers(folder, new RecordingLog(), 2);
  return { store: open(), another: async () => open() };
});

describe("the file of known players", () => {
  let folder: string;
  let file: string;
  let log: RecordingLog;
  let store: ReturnType<typeof openKnownPlayers>;
  beforeEach(() => {
    folder = newFolder();
    file = join(folder, "players.db");
    log = new RecordingLog();
    store = openKnownPlayers(folder, log);
  });
  afterEach(() => store.close());

  const names = ["Alex", "Brian", "Chris", "Dora", "Emma"];
  const uuids = names.map((_, i) => uuidOf(i));

  /** Stores five players, two of them online, and runs a statement on the file. */
  async function meddle(sql: string): Promise<void> {
    await store.change(
      uuids,
      uuid => {
        const number = uuids.indexOf(uuid);
        const record = (number < 3 ? away : there)(names[number] ?? "", { last: 20 + number });
        return { record, ended: [{ from: 1, to: 2 }] };
      },
      MANY,
    );
    const database = new DatabaseSync(file);
    database.exec(sql);
    database.close();
  }

  it("ignores a damaged record, logs it once, and replaces it", async () => {
    await meddle(`UPDATE "known records" SET record = CASE record LIKE '%Brian%' WHEN 1 THEN 'no json' ELSE '{"servers":5}' END
      WHERE record LIKE '%Alex%' OR record LIKE '%Brian%' OR record LIKE '%Dora%'`);
    for (let i = 0; i < 2; i++) {
      expect(await store.page({ sort: "name", limit: 1 })).toEqual([
        [uuidOf(2), away("Chris", { last: 22 })],
      ]);
      expect(uuidsOf(await store.present())).toEqual([uuidOf(4)]);
      expect(await store.read(uuids.slice(0, 2))).toEqual(new Map());
    }
    expect(log.lines.map(({ message }) => message)).toEqual(
      Array(3).fill("A player's record is damaged and ignored"),
    );
    const before: unknown[] = [];
    for (const number of [0, 3])
      await store.change(
        [uuidOf(number)],
        (_, record) => {
          before.push(record);
          return { record: away("Zoe") };
        },
        MANY,
      );
    expect(before).toEqual([undefined, undefined]);
    expect(uuidsOf(await walk(store, { sort: "name" }))).toEqual([2, 0, 3].map(uuidOf));
    expect(uuidsOf(await store.present())).toEqual([uuidOf(4)]);
  });

  it("ignores damaged visits, logs it once, and continues", async () => {
    await meddle(
      "UPDATE 'known-stays records' SET record = CASE key WHEN '00000000-0000-5000-8000-000000000000' THEN 'text' ELSE '5-' END",
    );
    for (const number of [0, 1, 0, 1]) expect(await store.visits(uuidOf(number), 9)).toEqual([]);
    expect(log.lines.map(({ message }) => message)).toEqual(
      Array(2).fill("A player's visits are damaged and ignored"),
    );
    await put(store, uuidOf(0), away("Alex"), { ended: [{ from: 3, to: 4 }] });
    expect(await store.visits(uuidOf(0), 9)).toEqual([{ from: 3, to: 4 }]);
    expect(await store.cleanUp({ unseenSince: 0, endedBefore: 3 })).toBe(true);
    expect(await store.visits(uuidOf(0), 9)).toEqual([{ from: 3, to: 4 }]);
  });

  it("has erased damaged records once it reports that it is clean", async () => {
    await meddle(
      `UPDATE "known records" SET record = 'no json'; UPDATE "known-stays records" SET record = 'none'`,
    );
    const everybody = { unseenSince: Number.MAX_SAFE_INTEGER, endedBefore: Number.MAX_SAFE_INTEGER };
    expect(await store.cleanUp(everybody)).toBe(true);
    expect(await store.cleanUp(everybody)).toBe(true);
    await store.close();
    const database = new DatabaseSync(file);
    const left = database.prepare(`SELECT count(*) AS left FROM "known index" WHERE name = 'away'`).get();
    const stays = database.prepare(`SELECT count(*) AS left FROM "known-stays index"`).get();
    database.close();
    expect([left, stays]).toEqual([{ left: 0 }, { left: 0 }]);
  });

  it("reports a full disk, and keeps its data", async () => {
    await meddle("");
    const exec = DatabaseSync.prototype.exec;
    const disk = jest.spyOn(DatabaseSync.prototype, "exec").mockImplementation(function (
      this: DatabaseSync,
      statement,
    ) {
      if (statement !== "COMMIT") return exec.call(this, statement);
      exec.call(this, "ROLLBACK");
      throw Object.assign(new Error("database or disk is full"), { code: "ERR_SQLITE_ERROR", errcode: 13 });
    });
    await expect(put(store, uuidOf(0), there("Alex"))).rejects.toThrow(StorageFull);
    disk.mockRestore();
    expect(await store.count()).toBe(3);
    await put(store, uuidOf(0), there("Alex"));
    expect(await store.count()).toBe(2);
  });

  it("erases in steps of a few milliseconds", async () => {
    const many = Array.from({ length: 120 }, (_, i) => uuidOf(i));
    await store.change(many, () => ({ record: away("x"), ended: [{ from: 1, to: 2 }] }), MANY);
    const before = { unseenSince: 21, endedBefore: 0 };
    expect([await store.cleanUp(before), await store.count()]).toEqual([false, 70]);
    await store.change([], () => undefined, { most: 0 });
    expect(await store.count()).toBe(20);
    expect([await store.cleanUp(before), await store.count()]).toEqual([true, 0]);
  });

  it("leaves nothing behind when everything is erased, and creates no file to do so", async () => {
    await store.clear();
    expect(existsSync(folder)).toBe(false);
    await meddle("");
    await openKnownPlayers(folder, log).clear();
    expect(readdirSync(folder)).toEqual([]);
    await store.clear();
    await put(store, uuidOf(1), away("Alex"));
    expect(await store.count()).toBe(1);
  });

  it("erases a damaged file, and keeps one of another program", async () => {
    mkdirSync(folder);
    writeFileSync(file, "something else ".repeat(999));
    await store.clear();
    expect(existsSync(file)).toBe(false);
    const other = new DatabaseSync(file);
    other.exec("CREATE TABLE theirs (a)");
    other.close();
    await store.clear();
    expect(existsSync(file)).toBe(true);
    await expect(store.present()).rejects.toThrow(`${file}: belongs to another program`);
  });
});

import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "@jest/globals";
import { openBansFile } from "../../../test/helpers/files.ts";
import { ODD_NAME } from "../../../test/helpers/folder.ts";
import { RecordingLog } from "../../../test/helpers/log.ts";
import { createMemoryBans } from "../../../test/helpers/memory-store.ts";
import { describeBans } from "./records.contract.ts";

const base = mkdtempSync(join(tmpdir(), `bans${ODD_NAME}`));
let count = 0;
const newFolder = (): string => join(base, String(count++));

describeBans("the bans, in a file", async () => {
  const folder = newFolder();
  const open = () => openBansFile(folder, new RecordingLog());
  return { store: open(), another: async () => open() };
});

describeBans("the bans, in memory", async () => {
  const store = { ...createMemoryBans(), close: async () => undefined };
  return { store, another: async () => store };
});

describe("the file of the bans", () => {
  const log = new RecordingLog();

  it("is not created before there is a ban", async () => {
    const folder = newFolder();
    const store = openBansFile(folder, log);
    expect([await store.head(), await store.read(0, 10)]).toEqual([undefined, []]);
    await store.close();
    expect(existsSync(folder)).toBe(false);
  });

  it("ignores a damaged ban, and logs that once", async () => {
    const folder = newFolder();
    const store = openBansFile(folder, log);
    await store.put(
      undefined,
      [
        { name: "Steve", at: 1 },
        { name: "Alex", at: 2 },
      ],
      [],
    );
    const database = new DatabaseSync(join(folder, "bans.db"));
    database.exec("UPDATE 'ban-entries records' SET record = '{' WHERE record LIKE '%Steve%'");
    database.close();
    for (let i = 0; i < 2; i++)
      expect(await store.read(0, 10)).toEqual([{ n: 2, ban: { name: "Alex", at: 2 } }]);
    expect(log.of("warn").filter(({ message }) => message.includes("A stored ban is damaged"))).toHaveLength(
      1,
    );
    await store.close();
  });

  it("is not changed and reported if it is not a file of this service", async () => {
    const folder = newFolder();
    const store = openBansFile(folder, log);
    await store.put(undefined, [{ name: "Steve", at: 1 }], []);
    await store.close();
    writeFileSync(join(folder, "bans.db"), "no database".repeat(100));
    await expect(store.head()).rejects.toThrow(/bans\.db: is damaged/);
  });
});

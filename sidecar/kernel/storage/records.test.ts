import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { ManualClock } from "../../../test/helpers/clock.ts";
import { eachInFolder, folder } from "../../../test/helpers/folder.ts";
import { RecordingLog } from "../../../test/helpers/log.ts";
import { createRecordsFile } from "./files/records-file.ts";
import { createWriteBehind } from "./files/write-behind.ts";
import { createMemoryRecords } from "./memory-records.ts";
import { describeRecords, PEOPLE, TICKETS } from "./records.contract.ts";
import { describeStreams, SAID, WORDS } from "./streams.contract.ts";

eachInFolder("records ");

const none = () => undefined;
const openFile = (now = () => 0) =>
  createRecordsFile({
    ...{ path: join(folder, "people.db"), collections: [PEOPLE, TICKETS], version: 1, checkScope: "whole" },
    ...{ migrate: () => [], now, damaged: none },
  });

describeRecords("records in memory", async () => {
  const records = createMemoryRecords(() => 0);
  return { records, another: async () => records };
});

describeRecords("records in a file", async () => ({
  records: openFile(),
  another: async () => openFile(),
}));

describeStreams("streams in memory", async () => {
  const records = createMemoryRecords(() => 0);
  return { records, another: async () => records };
});

describeStreams("streams in memory and a file", async () => {
  const clock = new ManualClock();
  const file = createRecordsFile({
    ...{ path: join(folder, "words.db"), collections: [SAID], streams: [WORDS.name], version: 1 },
    ...{ migrate: () => [], now: clock.now, checkScope: "whole", damaged: none },
  });
  const log = new RecordingLog();
  const records = createMemoryRecords(clock.monotonic, none, createWriteBehind({ clock, log, file }));
  return { records, another: async () => records };
});

describe.each([
  ["in memory", (now: () => number) => createMemoryRecords(now)],
  ["in a file", (now: () => number) => openFile(now)],
])("records that expire, %s", (_, open) => {
  it("are gone once expired, and can be put again", async () => {
    let now = 0;
    const records = open(() => now);
    await records.transact(transaction => transaction.put(TICKETS, "t", { seat: 1 }, 100));
    now = 99;
    expect(await records.get(TICKETS, "t")).toEqual({ seat: 1 });
    now = 100;
    expect(await records.get(TICKETS, "t")).toBeUndefined();
    await records.transact(transaction => {
      expect(transaction.get(TICKETS, "t")).toBeUndefined();
      transaction.put(TICKETS, "t", { seat: 2 }, 100);
    });
    expect(await records.get(TICKETS, "t")).toEqual({ seat: 2 });
  });
});

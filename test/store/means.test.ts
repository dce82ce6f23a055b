import { mkdirSync } from "node:fs";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { count, LONG_SPANS, NO_MEANS, type Report } from "../../sidecar/domain/means.ts";
import type { OwnLog, WorldLog } from "../../sidecar/ports/feed.ts";
import { whyUnusable } from "../../sidecar/store/tables.ts";
import { ManualClock } from "../helpers/clock.ts";
import { RecordingLog } from "../helpers/log.ts";
import { feedFolders } from "./feed-folders.ts";

const DAY = 86_400_000;

const feeds = feedFolders();
let folder: string;
let clock: ManualClock;
let log: RecordingLog;
beforeEach(() => {
  folder = feeds.newFolder();
  mkdirSync(folder);
  clock = new ManualClock();
  log = new RecordingLog();
});
const open = (): OwnLog => feeds.open(folder, { clock, log });
const report = (at: number): Report => ({
  at,
  tps: 20,
  onlinePlayerCount: 1,
  memoryUsedMB: 512,
  cpuUsage: null,
});

describe("the means in the file of the feed", () => {
  async function countAll({ history }: WorldLog, ...ats: number[]): Promise<void> {
    for (const at of ats) await history.count(report(at), count(await history.means(), report(at)));
  }
  const slots = async ({ history }: WorldLog) => (await history.means()).slots;
  const rows = (): number =>
    feeds.inFile(folder, database => database.prepare("SELECT sums FROM means").all().length);

  it("are there for the next process, each world's own, and go on", async () => {
    const first = open();
    expect(await first.history.means()).toEqual(NO_MEANS);
    await countAll(first, 0, 5_000, DAY);
    await countAll(first.worldOf("lobby"), 7 * DAY);
    const [own, lobby] = [await slots(first), await slots(first.worldOf("lobby"))];
    await first.close();
    const second = open();
    expect([await slots(second), await slots(second.worldOf("lobby"))]).toEqual([own, lobby]);
    await countAll(second, DAY + 5_000);
    await second.close();
    const year = (await slots(open()))["365d"];
    expect(year.map(({ slot, sums: [reports] }) => [slot, reports])).toEqual([
      [0, 2],
      [1, 2],
    ]);
  });

  it("lose less than the last minute where the process is killed", async () => {
    const plots = open();
    await countAll(plots, 1);
    clock.advance(55_000);
    await countAll(plots, 2);
    // Not closed.
    expect((await slots(open()))["1d"].map(({ sums: [reports] }) => reports)).toEqual([1]);
    clock.advance(50_000);
    expect((await slots(open()))["1d"].map(({ sums: [reports] }) => reports)).toEqual([2]);
  });

  it("are no more rows than points, whatever was before", async () => {
    const plots = open();
    const each = (from: number) => Array.from({ length: 400 }, (_, i) => (from + i) * DAY);
    await countAll(plots, ...each(0));
    clock.advance(60_000);
    await countAll(plots, ...each(600));
    await plots.close();
    expect(rows()).toBe(288 + 336 + 360 + 365);
    const next = open();
    expect((await slots(next))["365d"].map(({ slot }) => slot)).toEqual(
      Array.from({ length: 365 }, (_, i) => 635 + i),
    );
  });

  it("lose what is damaged, with a line in the log, and no other", async () => {
    const first = open();
    await countAll(first, 1);
    await first.close();
    feeds.inFile(folder, database => database.exec("UPDATE means SET sums = '{' WHERE span = '7d'"));
    const kept = await slots(open());
    expect(LONG_SPANS.map(span => kept[span].length)).toEqual([1, 0, 1, 1]);
    expect(log.lines.map(({ message }) => message)).toEqual([
      "a mean of the plots is damaged and counts as none",
    ]);
  });

  it("do not keep a version that knows nothing of them from opening the file", async () => {
    const plots = open();
    await countAll(plots, 1);
    await plots.close();
    expect(feeds.inFile(folder, database => whyUnusable(database, 1))).toBeUndefined();
  });
});

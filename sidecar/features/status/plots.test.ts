import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { HistoryPoint } from "../../../client/types.ts";
import { ask } from "../../../test/helpers/client.ts";
import { ManualClock } from "../../../test/helpers/clock.ts";
import { FakePack } from "../../../test/helpers/fake-pack.ts";
import { RecordingLog } from "../../../test/helpers/log.ts";
import type { TestSidecar } from "../../../test/helpers/sidecar.ts";
import { startTestSidecar } from "../../../test/helpers/sidecar.ts";
import { FullDisk, feedFolders, type OpenedFeed } from "../feed/testing/feed-folders.ts";
import type { HistoryStore } from "./records.ts";
import { LONG_SPANS, NO_ROLLUPS, type Report } from "./rules/rollups.ts";

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
const open = (): OpenedFeed => feeds.open(folder, { clock, log });
const figures = { tps: 20, onlinePlayerCount: 1, memoryUsedMB: 512, cpuUsage: null };
const point = (at: number): HistoryPoint => ({ ...figures, at });
const times = async ({ history }: OpenedFeed): Promise<number[]> =>
  (await history("").read()).map(({ at }) => at);
const addAll = ({ history }: OpenedFeed, from: number, to: number): Promise<unknown> =>
  Promise.all(Array.from({ length: to - from }, (_, i) => history("").add(from + i, point(from + i))));

const stored = (): number =>
  feeds.inFile(folder, database => {
    const rows = database.prepare('SELECT count(*) AS count FROM "history-points records"').get();
    return Number(rows?.count);
  });

describe("the plots in the file of the feed", () => {
  it("keep every point for the next process", async () => {
    const first = open();
    expect(await first.history("").read()).toEqual([]);
    await addAll(first, 1, 4);
    await first.close();
    const second = open();
    expect(await second.history("").read()).toEqual([point(1), point(2), point(3)]);
    await addAll(second, 4, 5);
    await second.close();
    const third = open();
    expect(await times(third)).toEqual([1, 2, 3, 4]);
    await third.close();
    expect(statSync(join(folder, "feed.db")).mode & 0o077).toBe(0);
  });

  it("lose only a damaged point, which is logged", async () => {
    const first = open();
    await addAll(first, 1, 4);
    await first.close();
    feeds.inFile(folder, database =>
      database.exec(`UPDATE "history-points records" SET record = '{' WHERE key = ':2'`),
    );
    const second = open();
    expect(await times(second)).toEqual([1, 3]);
    expect(log.lines.map(({ message }) => message)).toEqual(["A history point is damaged and ignored"]);
  });

  it("stay complete while they cannot be written, log that once, and are written later", async () => {
    const plots = open();
    await addAll(plots, 1, 2);
    const disk = new FullDisk();
    clock.advance(130_000);
    disk.restore();
    expect(log.lines.filter(({ message }) => message.includes("can't be saved"))).toHaveLength(1);
    await addAll(plots, 2, 3);
    clock.advance(65_000);
    expect(stored()).toBe(2);
  });
});

describe("the file of an earlier version", () => {
  let path: string;
  beforeEach(() => {
    path = join(folder, "history.jsonl");
  });
  const lines = (...points: HistoryPoint[]): string =>
    points.map(each => `${JSON.stringify(each)}\n`).join("");

  it("is imported once and removed, except for a truncated line", async () => {
    writeFileSync(path, `\n${lines(point(1))}\n${lines(point(2))}{"at":3,"tps":2`);
    const first = open();
    expect(await times(first)).toEqual([1, 2]);
    expect(existsSync(path)).toBe(false);
    // Not closed.
    expect(await times(open())).toEqual([1, 2]);
    expect(log.lines).toEqual([]);
  });

  it("is left alone if it is not a file of this service, which is logged", async () => {
    writeFileSync(path, "x".repeat(2 * 1024 * 1024));
    const plots = open();
    expect(await times(plots)).toEqual([]);
    expect(log.lines.map(({ message }) => message)).toEqual([
      "Could not migrate the plots of an earlier version",
    ]);
    expect(statSync(path).size).toBe(2 * 1024 * 1024);
  });
});

describe("GET /history over a restart", () => {
  let side: TestSidecar | undefined;
  const stop = async (): Promise<void> => {
    await side?.stop();
    side = undefined;
  };
  afterEach(stop);
  async function start(): Promise<void> {
    await stop();
    side = await startTestSidecar({ feed: open().records }, clock, log);
  }
  async function report(): Promise<void> {
    const pack = new FakePack(side?.bridge ?? "");
    await pack.connect();
    await pack.snapshot("Steve");
  }
  const drawn = async (): Promise<(number | null)[]> =>
    ((await ask(side?.base ?? "", "/history")).json as { points: HistoryPoint[] }).points.map(
      ({ tps }) => tps,
    );

  it("keeps its gaps even if the clock was set back", async () => {
    await start();
    await report();
    await stop();
    clock.setBack(24 * 3_600_000);
    await start();
    expect(await drawn()).toEqual([]);
    await report();
    clock.advance(30_000);
    expect((await drawn()).at(-1)).toBeNull();
  });
});

const report = (at: number): Report => ({ ...figures, at, freshMs: 15_000 });

describe("the roll-ups in the file of the feed", () => {
  async function countAll(history: HistoryStore, ...ats: number[]): Promise<void> {
    for (const at of ats) await history.count(report(at));
  }
  const buckets = async ({ history }: OpenedFeed, server = "") => (await history(server).rollups()).buckets;
  const rows = (): number =>
    feeds.inFile(folder, database => database.prepare('SELECT key FROM "history-sums records"').all().length);

  it("are available to the next process, for each world, and continue", async () => {
    const first = open();
    expect(await first.history("").rollups()).toEqual(NO_ROLLUPS);
    await countAll(first.history(""), 0, 5_000, DAY);
    await countAll(first.history("lobby"), 7 * DAY);
    const [own, lobby] = [await buckets(first), await buckets(first, "lobby")];
    await first.close();
    const second = open();
    expect([await buckets(second), await buckets(second, "lobby")]).toEqual([own, lobby]);
    await countAll(second.history(""), DAY + 5_000);
    await second.close();
    const year = (await buckets(open()))["365d"];
    expect(year.map(({ slot, totals: [reports] }) => [slot, reports])).toEqual([
      [0, 2],
      [1, 2],
    ]);
  });

  it("lose less than the last minute if the process is killed", async () => {
    const plots = open();
    await countAll(plots.history(""), 1);
    clock.advance(55_000);
    await countAll(plots.history(""), 2);
    // Not closed.
    expect((await buckets(open()))["1d"].map(({ totals: [reports] }) => reports)).toEqual([1]);
    clock.advance(50_000);
    expect((await buckets(open()))["1d"].map(({ totals: [reports] }) => reports)).toEqual([2]);
  });

  it("have no more rows than points, even with older data", async () => {
    const plots = open();
    const each = (from: number) => Array.from({ length: 400 }, (_, i) => (from + i) * DAY);
    await countAll(plots.history(""), ...each(0));
    clock.advance(60_000);
    await countAll(plots.history(""), ...each(600));
    await plots.close();
    expect(rows()).toBeLessThanOrEqual(288 + 336 + 360 + 365);
    const next = open();
    expect((await buckets(next))["365d"].map(({ slot }) => slot)).toEqual(
      Array.from({ length: 365 }, (_, i) => 635 + i),
    );
  });

  it("lose only damaged rows, which are logged", async () => {
    const first = open();
    await countAll(first.history(""), 1);
    await first.close();
    feeds.inFile(folder, database =>
      database.exec(`UPDATE "history-sums records" SET record = '{' WHERE key LIKE ':7d:%'`),
    );
    const stored = await buckets(open());
    expect(LONG_SPANS.map(span => stored[span].length)).toEqual([1, 0, 1, 1]);
    expect(log.lines.map(({ message }) => message)).toEqual(["A history roll-up is damaged and ignored"]);
  });
});

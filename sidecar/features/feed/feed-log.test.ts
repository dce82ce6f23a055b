import { beforeEach, describe, expect, it } from "@jest/globals";
import { ManualClock } from "../../../test/helpers/clock.ts";
import { memoryFeedLog } from "../../../test/helpers/feed-log.ts";
import { RecordingLog } from "../../../test/helpers/log.ts";
import { parseId } from "../../kernel/storage/stream-ids.ts";
import { contents, describeFeedLog, line, say, sayOnWeb } from "./feed-log.contract.ts";
import { MAX_KEYS } from "./records.ts";
import { FullDisk, feedFolders, type OpenedFeed } from "./testing/feed-folders.ts";

const { newFolder, open, inFile } = feedFolders();

describeFeedLog("the log in memory", async () => memoryFeedLog(new ManualClock(), 5));
describeFeedLog("the log in a file", async () => open(newFolder()));

const STEVE = { id: "-1", name: "Steve", uuid: "25f6be79-78bb-5d2a-9d14-dde1a1ccd90a" };

describe("the file of the log", () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
  });
  const rows = (table: string): number =>
    inFile(folder, database => database.prepare(`SELECT 1 FROM "${table}"`).all().length);
  const stored = async (log: OpenedFeed): Promise<string[]> => contents((await log.newest(100)).entries);

  it("keeps entries, keys, presence and webhook state for the next process", async () => {
    const first = open(folder);
    await first.append(before => ({
      presence: { ...before, run: "r", isOnline: true, players: [STEVE] },
      entries: [line("a", { key: "run:1:k" }), line("b", { withheld: true, except: "socket" })],
    }));
    await first.hooks.set("https://a.example/", { place: "1-1", failingSince: 9 }, undefined);
    const entries = (await first.newest(10)).entries;
    await first.close();

    const second = open(folder);
    expect((await second.newest(10)).entries).toEqual(entries);
    expect((await second.presence()).players).toEqual([STEVE]);
    expect(await second.hooks.get("https://a.example/")).toEqual({ place: "1-1", failingSince: 9 });
    const received: unknown[] = [];
    second.onRepeated(repeated => received.push(...repeated));
    second.subscribe(more => received.push(...contents(more)));
    await second.append(() => ({ entries: [line("c", { key: "run:2:c" }), line("a", { key: "run:1:k" })] }));
    await second.append(() => ({ entries: [line("c", { key: "run:2:c" })] }));
    expect(received).toEqual([line("a"), "c"]);
    expect(await stored(second)).toEqual(["a", "b", "c"]);
  });

  it("keeps every published entry, even if the process ends without closing it", async () => {
    const first = open(folder);
    const received: string[] = [];
    first.subscribe(entries => received.push(...contents(entries)));
    for (let i = 0; i < 7; i++) await say(first, `line ${i}`);
    // Not closed.
    const second = open(folder);
    expect(await stored(second)).toEqual(received.slice(-5));
  });

  it("never reuses an id, even if the clock was set back or the last entries were lost", async () => {
    const clock = new ManualClock();
    const ids: string[] = [];
    for (let start = 0; start < 4; start++) {
      const log = open(folder, { clock });
      log.subscribe(entries => ids.push(...entries.map(({ id }) => id)));
      await say(log, "a", "b", "c");
      await log.close();
      inFile(folder, database => database.exec('DELETE FROM "feed stream" WHERE seq > 1'));
      clock.setBack(86_400_000);
    }
    expect(new Set(ids).size).toBe(12);
    expect(ids).toEqual([...ids].sort());
  });

  it("continues without a gap after a restart, and reports a gap after a lost tail", async () => {
    const first = open(folder);
    await say(first, "a", "b", "c");
    const last = await first.last();
    await first.close();
    const second = open(folder);
    expect(await second.read(last, 10)).toEqual({ gap: false, entries: [] });
    await second.close();
    inFile(folder, database => database.exec('DELETE FROM "feed stream" WHERE seq = 3'));
    const third = open(folder);
    expect((await third.read(last, 10)).gap).toBe(true);
  });

  it("stays within its limits, also on disk", async () => {
    const clock = new ManualClock();
    const log = open(folder, { clock, forMs: 60_000 });
    const stored = (): number =>
      inFile(folder, database => database.prepare('SELECT seq FROM "feed stream"').all().length);
    for (let i = 0; i < 20; i++) {
      const at = clock.now();
      await log.append(() => ({
        entries: [{ event: { event: "server", at, state: "away" }, key: `k${i}` }],
      }));
    }
    expect(stored()).toBeLessThanOrEqual(20);
    clock.advance(5_000);
    expect(stored()).toBe(5);
    clock.advance(61_000);
    expect(stored()).toBe(0);
  });

  it("keeps a fixed number of events per game server: one that floods evicts none of another, even over a restart", async () => {
    const first = open(folder);
    const known = [line("kept", { key: "kept" })];
    await first.serverFeed("quiet").appendOnce(known);
    const flood = Array.from({ length: 3 * MAX_KEYS }, (_, i) => line(`${i}`, { key: `k${i}` }));
    await first.serverFeed("loud").appendOnce(flood);
    await first.appendOnce(flood);
    expect(await first.serverFeed("quiet").appendOnce(known)).toEqual([]);
    await first.close();
    const second = open(folder);
    expect(await second.serverFeed("quiet").appendOnce(known)).toEqual([]);
    expect(await second.serverFeed("loud").appendOnce(known)).toEqual(known);
  });

  it("skips damaged entries, and reports a gap to readers that continue from before them", async () => {
    const first = open(folder);
    const start = await first.last();
    await say(first, "a", "b", "c");
    await first.close();
    inFile(folder, database => {
      database.exec(`UPDATE "feed stream" SET entry = '{}' WHERE seq = 2`);
      database.exec(`INSERT INTO "feed-presence records" VALUES ('server:', '{', NULL)`);
      database.exec(`INSERT INTO "hooks records" VALUES ('https://a.example/', '[]', NULL)`);
    });
    const log = new RecordingLog();
    const second = open(folder, { log });
    expect(await stored(second)).toEqual(["c"]);
    expect((await second.read(start, 10)).gap).toBe(true);
    expect(await second.hooks.get("https://a.example/")).toBeUndefined();
    expect((await second.presence()).isOnline).toBe(false);
    expect(log.lines.filter(({ level }) => level === "warn")).toHaveLength(3);
  });

  it("still delivers what it cannot write, logs that once, and writes it later", async () => {
    const clock = new ManualClock();
    const log = new RecordingLog();
    const first = open(folder, { clock, log });
    const disk = new FullDisk();
    const received: string[] = [];
    first.subscribe(entries => received.push(...contents(entries)));
    await say(first, "A", "B");
    for (const content of "abcdefgh") await sayOnWeb(first, content);
    await say(first, "C");
    expect(received).toEqual([..."ABabcdefghC"]);
    const place = await first.last();
    await first.hooks.set("https://a.example/", { place }, undefined);
    // With a position that is lost, everything kept would be sent again.
    expect(rows("hooks records")).toBe(0);
    expect(log.lines.filter(({ level }) => level === "error")).toHaveLength(1);
    // Everything pending is retried together, which no chat message may wait for.
    expect(disk.tries).toBe(1);
    disk.restore();
    clock.advance(5_000);
    // Not closed.
    const second = open(folder);
    expect(await stored(second)).toEqual([..."ABghC"]);
    expect(await second.hooks.get("https://a.example/")).toEqual({ place });
  });

  it("can be opened on a full disk, and stores events once there is room", async () => {
    const clock = new ManualClock();
    const before = open(folder, { clock });
    await say(before, "a");
    await before.close();
    const disk = new FullDisk();
    const log = open(folder, { clock });
    await say(log, "b");
    expect(await stored(log)).toEqual(["a", "b"]);
    const last = await log.last();
    disk.restore();
    clock.advance(5_000);
    // Not closed.
    const next = open(folder, { clock });
    expect(await stored(next)).toEqual(["a", "b"]);
    expect(await next.read(last, 10)).toEqual({ gap: false, entries: [] });
    await say(next, "c");
    expect(parseId(await next.last())?.[0]).toBeGreaterThan(parseId(last)?.[0] ?? 0);
  });

  it("strips the session's characters from messages that an earlier version stored", async () => {
    const clock = new ManualClock();
    await open(folder, { clock }).close();
    const event = { event: "chat", at: clock.now(), from: "web", content: "hi" };
    const stored = JSON.stringify({ event: { ...event, browser: "faa3b7a4" } });
    inFile(folder, database =>
      database
        .prepare('INSERT INTO "feed stream" (epoch, seq, entry) VALUES (?, ?, ?)')
        .run(clock.now(), 1, stored),
    );
    expect((await open(folder, { clock }).newest(5)).entries.map(entry => entry.event)).toEqual([event]);
  });
});

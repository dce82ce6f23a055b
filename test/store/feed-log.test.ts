import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, it, jest } from "@jest/globals";
import { openFeedFile } from "../../sidecar/features/feed/files/feed-file.ts";
import { createFeedLog, MAX_KEYS } from "../../sidecar/features/feed/files/feed-log.ts";
import { parseId } from "../../sidecar/features/feed/rules.ts";
import type { OwnLog } from "../../sidecar/kernel/storage/ports/feed.ts";
import { ManualClock } from "../helpers/clock.ts";
import { memoryFeedLog } from "../helpers/feed-log.ts";
import { RecordingLog } from "../helpers/log.ts";
import { feedFolders } from "./feed-folders.ts";
import { contents, describeFeedLog, line, say, sayOnWeb } from "./feed-log.contract.ts";

const { newFolder, open, inFile } = feedFolders();

describeFeedLog("the log in memory", async () => memoryFeedLog(new ManualClock(), 5));
describeFeedLog("the log in a file", async () => open(newFolder()));

const STEVE = { id: "-1", name: "Steve", uuid: "25f6be79-78bb-5d2a-9d14-dde1a1ccd90a" };

describe("the file of the log", () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
  });
  const held = async (log: OwnLog): Promise<string[]> => contents((await log.newest(100)).entries);

  it("has everything for the next process, entries, keys, the game and the webhooks", async () => {
    const first = open(folder);
    await first.append(before => ({
      presence: { ...before, run: "r", isOnline: true, players: [STEVE] },
      entries: [line("a", { key: "k" }), line("b", { withheld: true, except: "socket" })],
    }));
    await first.setHook("https://a.example/", { place: "1-1", failingSince: 9 });
    const entries = (await first.newest(10)).entries;
    await first.close();

    const second = open(folder);
    expect((await second.newest(10)).entries).toEqual(entries.map(({ except: _gone, ...entry }) => entry));
    expect((await second.presence()).players).toEqual([STEVE]);
    expect(await second.hooks()).toEqual(
      new Map([["https://a.example/", { place: "1-1", failingSince: 9 }]]),
    );
    const heard: unknown[] = [];
    second.onRepeated(repeated => heard.push(...repeated));
    second.subscribe(more => heard.push(...contents(more)));
    await second.append(() => ({ entries: [line("c", { key: "c" }), line("a", { key: "k" })] }));
    await second.append(() => ({ entries: [line("c", { key: "c" })] }));
    expect(heard).toEqual([line("a"), "c"]);
    expect(await held(second)).toEqual(["a", "b", "c"]);
  });

  it("has everything that a listener heard, though the process ends without closing it", async () => {
    const first = open(folder);
    const heard: string[] = [];
    first.subscribe(entries => heard.push(...contents(entries)));
    for (let i = 0; i < 7; i++) await say(first, `line ${i}`);
    // Not closed.
    const second = open(folder);
    expect(await held(second)).toEqual(heard.slice(-5));
  });

  it("never gives an id twice, though the clock was set back, or what came last was lost", async () => {
    const clock = new ManualClock();
    const ids: string[] = [];
    for (let start = 0; start < 4; start++) {
      const log = open(folder, { clock });
      log.subscribe(entries => ids.push(...entries.map(({ id }) => id)));
      await say(log, "a", "b", "c");
      await log.close();
      inFile(folder, database => database.exec("DELETE FROM events WHERE seq > 1"));
      clock.setBack(86_400_000);
    }
    expect(new Set(ids).size).toBe(12);
    expect(ids).toEqual([...ids].sort());
  });

  it("goes on without a gap after a restart, and tells of one after a lost tail", async () => {
    const first = open(folder);
    await say(first, "a", "b", "c");
    const seen = await first.last();
    await first.close();
    const second = open(folder);
    expect(await second.read(seen, 10)).toEqual({ gone: false, entries: [] });
    await second.close();
    inFile(folder, database => database.exec("DELETE FROM events WHERE seq = 3"));
    const third = open(folder);
    expect((await third.read(seen, 10)).gone).toBe(true);
  });

  it("holds no more than it may, also on the disk", async () => {
    const clock = new ManualClock();
    const log = open(folder, { clock, forMs: 60_000 });
    const stored = (): number =>
      inFile(folder, database => database.prepare("SELECT seq FROM events").all().length);
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

  it("remembers as many of each world: one that floods has none of another forgotten, over a restart too", async () => {
    const first = open(folder);
    const kept = [line("kept", { key: "kept" })];
    await first.worldOf("quiet").tellOnce(kept);
    const flood = Array.from({ length: 3 * MAX_KEYS }, (_, i) => line(`${i}`, { key: `k${i}` }));
    await first.worldOf("loud").tellOnce(flood);
    await first.tellOnce(flood);
    expect(await first.worldOf("quiet").tellOnce(kept)).toEqual([]);
    await first.close();
    const second = open(folder);
    expect(await second.worldOf("quiet").tellOnce(kept)).toEqual([]);
    expect(await second.worldOf("loud").tellOnce(kept)).toEqual(kept);
  });

  it("passes over what is damaged, and tells whoever reads on from before it that something is missing", async () => {
    const first = open(folder);
    const start = await first.last();
    await say(first, "a", "b", "c");
    await first.close();
    inFile(folder, database => {
      database.exec("UPDATE events SET entry = '{}' WHERE seq = 2");
      database.exec("UPDATE meta SET value = '!' WHERE key = 'presence'");
      database.exec("INSERT INTO meta VALUES ('presence', '{') ON CONFLICT DO NOTHING");
      database.exec("INSERT INTO hooks VALUES ('https://a.example/', '[]')");
    });
    const log = new RecordingLog();
    const second = open(folder, { log });
    expect(await held(second)).toEqual(["c"]);
    expect((await second.read(start, 10)).gone).toBe(true);
    expect(await second.hooks()).toEqual(new Map());
    expect(log.lines.filter(({ level }) => level === "warn")).toHaveLength(3);
  });

  it("gives readers what it cannot write, says so once, and writes it when it can", async () => {
    const clock = new ManualClock();
    const log = new RecordingLog();
    const file = openFeedFile(folder, log);
    let isFull = true;
    let tries = 0;
    const full = {
      ...file,
      write: (change: Parameters<typeof file.write>[0]) => {
        tries++;
        if (isFull) throw new Error("no room");
        file.write(change);
      },
    };
    const first = createFeedLog({ clock, log, bounds: { entries: 5, forMs: 3_600_000 }, file: full });
    const heard: string[] = [];
    first.subscribe(entries => heard.push(...contents(entries)));
    await say(first, "A", "B");
    for (const content of "abcdefgh") await sayOnWeb(first, content);
    await say(first, "C");
    expect(heard).toEqual([..."ABabcdefghC"]);
    const place = await first.last();
    await first.setHook("https://a.example/", { place });
    // Of a place that nobody can find again, all that is kept would be sent once more.
    const killed = open(folder);
    expect(await killed.hooks()).toEqual(new Map());
    await killed.close();
    expect(log.lines.filter(({ level }) => level === "error")).toHaveLength(1);
    // All that waits is tried again at once, which no line of chat may wait for.
    expect(tries).toBe(1);
    isFull = false;
    clock.advance(5_000);
    // Not closed.
    const second = open(folder);
    expect(await held(second)).toEqual([..."ABghC"]);
    expect(await second.hooks()).toEqual(new Map([["https://a.example/", { place }]]));
  });

  it("is opened on a full disk, and keeps what happens once there is room", async () => {
    const clock = new ManualClock();
    const before = open(folder, { clock });
    await say(before, "a");
    await before.close();
    let isFull = false;
    const exec = DatabaseSync.prototype.exec;
    const disk = jest.spyOn(DatabaseSync.prototype, "exec").mockImplementation(function (
      this: DatabaseSync,
      statement,
    ) {
      if (!isFull || statement !== "COMMIT") return exec.call(this, statement);
      exec.call(this, "ROLLBACK");
      throw Object.assign(new Error("database or disk is full"), { code: "ERR_SQLITE_ERROR", errcode: 13 });
    });
    const file = openFeedFile(folder, new RecordingLog());
    isFull = true;
    const bounds = { entries: 5, forMs: 3_600_000 };
    const log = createFeedLog({ clock, log: new RecordingLog(), bounds, file });
    await say(log, "b");
    expect(await held(log)).toEqual(["a", "b"]);
    const last = await log.last();
    isFull = false;
    clock.advance(5_000);
    // Not closed.
    const next = open(folder, { clock });
    disk.mockRestore();
    expect(await held(next)).toEqual(["a", "b"]);
    expect(await next.read(last, 10)).toEqual({ gone: false, entries: [] });
    await say(next, "c");
    expect(parseId(await next.last())?.[0]).toBeGreaterThan(parseId(last)?.[0] ?? 0);
  });

  it("hands out lines that an earlier version has kept without the characters of a session", async () => {
    const clock = new ManualClock();
    await open(folder, { clock }).close();
    const event = { event: "chat", at: clock.now(), from: "web", content: "hi" };
    const stored = JSON.stringify({ event: { ...event, browser: "faa3b7a4" } });
    inFile(folder, database =>
      database.prepare("INSERT INTO events (epoch, seq, entry) VALUES (?, ?, ?)").run(clock.now(), 1, stored),
    );
    expect((await open(folder, { clock }).newest(5)).entries.map(entry => entry.event)).toEqual([event]);
  });
});

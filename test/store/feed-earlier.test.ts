import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "@jest/globals";
import Database from "libsql";
import { openFeedFile } from "../../sidecar/store/feed-file.ts";
import { createFeedLog } from "../../sidecar/store/feed-log.ts";
import { ManualClock } from "../helpers/clock.ts";
import { RecordingLog } from "../helpers/log.ts";

const folder = mkdtempSync(join(tmpdir(), "feed "));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("lines that an earlier version has kept are handed out without the characters of a session", async () => {
  const [clock, log] = [new ManualClock(), new RecordingLog()];
  openFeedFile(folder, log).close();
  const event = { event: "chat", at: clock.now(), from: "web", content: "hi" };
  const database = new Database(join(folder, "feed.db"));
  const stored = JSON.stringify({ event: { ...event, browser: "faa3b7a4" } });
  database.prepare("INSERT INTO events (epoch, seq, entry) VALUES (?, ?, ?)").run([clock.now(), 1, stored]);
  database.close();
  const bounds = { entries: 5, forMs: 3_600_000 };
  const feed = createFeedLog({ clock, log, bounds, file: openFeedFile(folder, log) });
  expect((await feed.newest(5)).entries.map(entry => entry.event)).toEqual([event]);
  await feed.close();
});

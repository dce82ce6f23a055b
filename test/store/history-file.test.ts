import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { HistoryPoint } from "../../client/types.ts";
import { embedded } from "../../sidecar/embedded.ts";
import { createHistoryFile, type HistoryFile } from "../../sidecar/store/history-file.ts";
import { createMemoryStore } from "../../sidecar/store/memory.ts";
import { ask } from "../helpers/client.ts";
import { ManualClock } from "../helpers/clock.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { memoryFeedLog } from "../helpers/feed-log.ts";
import { RecordingLog } from "../helpers/log.ts";
import { startOneSidecar } from "../helpers/one-sidecar.ts";
import { eventually } from "../helpers/runner.ts";
import type { TestSidecar } from "../helpers/sidecar.ts";

const base = mkdtempSync(join(tmpdir(), "history "));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let count = 0;
let folder: string;
let path: string;
let clock: ManualClock;
let log: RecordingLog;
beforeEach(() => {
  folder = join(base, String(count++));
  path = join(folder, "history.jsonl");
  clock = new ManualClock();
  log = new RecordingLog();
});

const open = (): HistoryFile => createHistoryFile(folder, clock, log);
const point = (at: number): HistoryPoint => ({
  at,
  tps: 20,
  onlinePlayerCount: 1,
  memoryUsedMB: 512,
  cpuUsage: null,
});
const times = async (file: HistoryFile): Promise<number[]> => (await file.read()).map(({ at }) => at);
const addAll = (file: HistoryFile, from: number, to: number): Promise<unknown> =>
  Promise.all(Array.from({ length: to - from }, (_, i) => file.add(from + i, point(from + i))));
const textOf = (): string => readFileSync(path, "utf8");

describe("the file of the plots", () => {
  it("has every point for the next process", async () => {
    const first = open();
    expect(await first.read()).toEqual([]);
    await addAll(first, 1, 4);
    await first.close();
    const second = open();
    expect(await second.read()).toEqual([point(1), point(2), point(3)]);
    await addAll(second, 4, 5);
    await second.close();
    expect(await times(open())).toEqual([1, 2, 3, 4]);
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it("is written once a minute, and only what is new", async () => {
    const file = open();
    await file.read();
    await addAll(file, 1, 3);
    clock.advance(59_999);
    expect(() => textOf()).toThrow("ENOENT");
    clock.advance(1);
    await eventually(() => expect(textOf()).toContain('"at":2'));
    const before = textOf();
    await addAll(file, 3, 4);
    clock.advance(60_000);
    await eventually(() => expect(textOf()).toContain('"at":3'));
    expect(textOf().startsWith(before)).toBe(true);
    await file.close();
    expect(textOf().split("\n").filter(Boolean)).toHaveLength(3);
  });

  it("is no longer than twice what counts", async () => {
    const file = open();
    await file.read();
    let most = 0;
    for (let at = 0; at < 3_000; at += 100) {
      await addAll(file, at, at + 100);
      clock.advance(60_000);
      await eventually(() => expect(textOf()).toContain(`"at":${at + 99},`));
      most = Math.max(most, textOf().split("\n").filter(Boolean).length);
    }
    await file.close();
    expect(most).toBeLessThanOrEqual(1_440);
    const kept = await times(open());
    expect([kept.at(-1), kept.length >= 720]).toEqual([2_999, true]);
  });

  it("loses a line that was cut short, and no other", async () => {
    const first = open();
    await first.read();
    await addAll(first, 1, 3);
    await first.close();
    appendFileSync(path, '{"at":3,"tps":2');
    const second = open();
    expect(await times(second)).toEqual([1, 2]);
    await addAll(second, 4, 5);
    await second.close();
    expect(await times(open())).toEqual([1, 2, 4]);
  });

  it("counts as none when it is no file of this service, with a line in the log", async () => {
    mkdirSync(folder);
    writeFileSync(path, "x".repeat(2 * 1024 * 1024));
    const file = open();
    expect(await file.read()).toEqual([]);
    expect(log.lines.map(({ message }) => message)).toEqual(["the plots of before cannot be read"]);
    await addAll(file, 1, 2);
    await file.close();
    expect(await times(open())).toEqual([1]);
  });

  it("is missed by nobody when it cannot be written, and said once", async () => {
    writeFileSync(folder, "no folder");
    const file = open();
    await addAll(file, 1, 2);
    clock.advance(60_000);
    await addAll(file, 2, 3);
    await file.close();
    const said = log.lines.filter(({ message }) => message.includes("cannot be stored"));
    expect(said).toHaveLength(1);
  });
});

describe("GET /history over a restart", () => {
  const start = (): Promise<TestSidecar> =>
    startOneSidecar(
      {},
      clock,
      log,
      embedded(clock, { store: createMemoryStore(), feedLog: memoryFeedLog(clock), history: open() }),
    );
  async function report(side: TestSidecar): Promise<void> {
    const pack = new FakePack(side.bridge);
    await pack.connect();
    await pack.snapshot("Steve");
  }
  const shown = async (side: TestSidecar): Promise<(number | null)[]> =>
    ((await ask(side.base, "/history")).json as { points: HistoryPoint[] }).points.map(({ tps }) => tps);

  it("shows what was before, and no gap when the game reports in time", async () => {
    const first = await start();
    await report(first);
    clock.advance(5_000);
    await first.stop();
    clock.advance(5_000);
    const second = await start();
    expect(await shown(second)).toEqual([20, 20]);
    clock.advance(4_000);
    await report(second);
    expect(await shown(second)).toEqual([20, 20, 20]);
    await second.stop();
  });

  it("has a gap when the game stays away", async () => {
    const first = await start();
    await report(first);
    await first.stop();
    const second = await start();
    clock.advance(30_000);
    expect(await shown(second)).toEqual([20, null]);
    await second.stop();
  });

  it("has its gaps though the clock was set back meanwhile", async () => {
    const first = await start();
    await report(first);
    await first.stop();
    clock.setBack(24 * 3_600_000);
    const second = await start();
    expect(await shown(second)).toEqual([]);
    await report(second);
    clock.advance(30_000);
    expect((await shown(second)).at(-1)).toBeNull();
    await second.stop();
  });
});

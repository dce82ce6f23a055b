import { beforeEach, describe, expect, it } from "@jest/globals";
import { ManualClock } from "../../../../test/helpers/clock.ts";
import { RecordingLog } from "../../../../test/helpers/log.ts";
import type { Machine, Usage } from "./machine.ts";
import { createProcessProbe, type LaunchedGame, NOT_VISIBLE } from "./probe.ts";

const MIB = 1024 * 1024;

let clock: ManualClock;
let processes: Map<number, Usage>;
let servers: number[];
let searches: number;
let pidFile: string;
let machine: Machine;
let log: RecordingLog;
beforeEach(() => {
  clock = new ManualClock();
  processes = new Map();
  servers = [];
  searches = 0;
  pidFile = "";
  log = new RecordingLog();
  machine = {
    cores: 4,
    async findServers(storage, name) {
      expect([storage, name]).toEqual(["/data", "lobby"]);
      searches++;
      return servers;
    },
    isServer: async pid => servers.includes(pid),
    async usage(pid) {
      const usage = processes.get(pid);
      if (usage === undefined) throw new Error("no such process");
      return usage;
    },
    memoryLimit: async () => 2048 * MIB,
    readPidFile: async () => pidFile,
  };
});

const probe = (process: string) =>
  createProcessProbe({ process, storage: "/data", name: "lobby", clock, log, machine });
const run = (pid: number, cpuMs: number, mib = 100): void =>
  void processes.set(pid, { memory: mib * MIB, cpuMs });

describe("createProcessProbe", () => {
  it("measures memory immediately, and CPU from the second reading on, between 0 and 100", async () => {
    const { read } = probe("7");
    run(7, 1000);
    expect(await read()).toEqual({ memoryUsedMB: 100, memoryMaxMB: 2048, cpuUsage: -1 });
    clock.advance(5000);
    run(7, 6000, 120);
    expect(await read()).toEqual({ memoryUsedMB: 120, memoryMaxMB: 2048, cpuUsage: 25 });
    clock.advance(1000);
    run(7, 90_000);
    expect((await read()).cpuUsage).toBe(100);
    clock.advance(1000);
    expect((await read()).cpuUsage).toBe(0);
  });

  it("returns the same values within a second", async () => {
    const { read } = probe("7");
    run(7, 0);
    const first = await read();
    clock.advance(999);
    run(7, 500, 500);
    expect(await read()).toEqual(first);
    clock.advance(1);
    expect((await read()).memoryUsedMB).toBe(500);
  });

  it("measures nothing without a process, and starts over when there is one", async () => {
    const { read } = probe("auto");
    expect(await read()).toEqual(NOT_VISIBLE);
    servers = [7];
    run(7, 100);
    expect(await read()).toMatchObject({ memoryUsedMB: 100, cpuUsage: -1 });
    processes.clear();
    clock.advance(5000);
    expect(await read()).toEqual(NOT_VISIBLE);
  });

  it("searches again only when its process has ended", async () => {
    const { read } = probe("auto");
    servers = [7];
    run(7, 0);
    for (let i = 0; i < 3; i++) {
      await read();
      clock.advance(5000);
    }
    expect(searches).toBe(1);
    servers = [8];
    run(8, 50, 42);
    expect(await read()).toEqual({ memoryUsedMB: 42, memoryMaxMB: 2048, cpuUsage: -1 });
    expect(searches).toBe(2);
  });

  it("measures none of several indistinguishable processes, and logs once what to set", async () => {
    const { read } = probe("auto");
    servers = [7, 8];
    run(7, 0);
    for (let i = 0; i < 3; i++) {
      expect(await read()).toEqual(NOT_VISIBLE);
      clock.advance(5000);
    }
    expect(log.lines).toEqual([
      expect.objectContaining({
        level: "warn",
        fields: { processes: [7, 8] },
        message: expect.stringContaining("set server.process"),
      }),
    ]);
    servers = [7];
    expect(await read()).toMatchObject({ memoryUsedMB: 100 });
  });

  it("notices a second process within a minute", async () => {
    const { read } = probe("auto");
    servers = [7];
    run(7, 0);
    await read();
    servers = [7, 8];
    clock.advance(59_999);
    expect(await read()).toMatchObject({ memoryUsedMB: 100 });
    clock.advance(1000);
    expect(await read()).toEqual(NOT_VISIBLE);
  });

  it("keeps measuring the CPU of the same process after another search", async () => {
    const { read } = probe("auto");
    servers = [7];
    run(7, 0);
    await read();
    clock.advance(60_000);
    run(7, 24_000);
    expect((await read()).cpuUsage).toBe(10);
    expect(searches).toBe(2);
  });

  it("takes the game server that launch has started for auto, and never searches", async () => {
    let game: LaunchedGame = {};
    const launched = (process: string) =>
      createProcessProbe({
        ...{ process, storage: "/data", name: "lobby", clock, log, machine },
        launchedGame: () => game,
      });
    const { read } = launched("auto");
    servers = [8];
    run(7, 0, 70);
    run(8, 0, 80);
    run(9, 0, 90);
    expect(await read()).toEqual(NOT_VISIBLE);
    game = { pid: 7 };
    expect(await read()).toMatchObject({ memoryUsedMB: 70 });
    clock.advance(5000);
    game = { pid: 9 };
    expect(await read()).toMatchObject({ memoryUsedMB: 90, cpuUsage: -1 });
    clock.advance(5000);
    game = {};
    expect(await read()).toEqual(NOT_VISIBLE);
    expect(searches).toBe(0);
    expect(await launched("8").read()).toMatchObject({ memoryUsedMB: 80 });
  });

  it("follows a pid file that changes", async () => {
    const { read } = probe("/run/bds.pid");
    run(7, 0, 70);
    run(8, 0, 80);
    pidFile = " 7\r\n";
    expect((await read()).memoryUsedMB).toBe(70);
    clock.advance(5000);
    pidFile = "8";
    expect(await read()).toMatchObject({ memoryUsedMB: 80, cpuUsage: -1 });
  });

  it.each(["", "0", "-7", "seven", "7 8"])("sees nothing when the pid file holds %j", async content => {
    pidFile = content;
    run(7, 0);
    expect(await probe("/run/bds.pid").read()).toEqual(NOT_VISIBLE);
  });

  it("does not wait for a hanging system, and queries it only once", async () => {
    let calls = 0;
    machine.usage = () => {
      calls++;
      return new Promise(() => {});
    };
    const { read } = probe("7");
    const readings = [read(), read()];
    clock.advance(5000);
    expect(await Promise.all(readings)).toEqual([NOT_VISIBLE, NOT_VISIBLE]);
    expect(calls).toBe(1);
  });

  it("reports unknown CPU when the clock was set back", async () => {
    const { read } = probe("7");
    run(7, 1000);
    await read();
    clock.advance(5000);
    run(7, 900);
    expect((await read()).cpuUsage).toBe(-1);
  });
});

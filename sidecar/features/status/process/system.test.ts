import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  constants,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { needs } from "../../../../test/helpers/needs.ts";
import { findInProc, findInTaskList, findServers, isServer } from "./find.ts";
import { thisMachine } from "./machine.ts";
import { limitFiles, memoryLimit } from "./memory-limit.ts";
import { readKnown, type ServedFolder, type ServedFolders } from "./served.ts";

const hasPython = process.platform === "linux" && spawnSync("python3", ["--version"]).status === 0;
const LOCKER = `
import fcntl, sys
held = open(sys.argv[1], "r+")
fcntl.lockf(held, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "process-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (path: string, content: string): void => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), content);
};

describe("findInProc", () => {
  const process = (pid: number, comm: string, exe?: string, cwd?: string): void => {
    write(`${pid}/comm`, `${comm}\n`);
    if (exe !== undefined) symlinkSync(exe, join(folder, String(pid), "exe"));
    if (cwd !== undefined) symlinkSync(cwd, join(folder, String(pid), "cwd"));
  };
  const server = (name: string): string => {
    mkdirSync(join(folder, name), { recursive: true });
    return join(folder, name);
  };
  const of = (path: string, holder?: number): ServedFolder => ({
    folder: statSync(path, { bigint: true }),
    holder,
  });
  const served = (path: string, holder?: number): ServedFolders => ({ own: of(path, holder), others: [] });

  it("finds the process by its executable in any folder, replaced or not, with or without a version", async () => {
    process(5, "bash", "/bin/bash");
    process(30, "anything", "/opt/b d s/bedrock_server (deleted)");
    expect(await findInProc(folder)).toEqual([30]);
    process(40, "bedrock_server-", "/data/bedrock_server-1.26.60.6");
    expect(await findInProc(folder)).toEqual([30, 40]);
  });

  it("prefers the executable to a script of the same name", async () => {
    process(5, "bedrock_server", "/bin/sh");
    expect(await findInProc(folder)).toEqual([5]);
    process(6, "bedrock_server", "/opt/bedrock_server");
    expect(await findInProc(folder)).toEqual([6]);
  });

  it("returns all indistinguishable processes, lowest id first", async () => {
    for (const pid of [100, 20, 9]) process(pid, "bedrock_server", "/opt/bedrock_server");
    expect(await findInProc(folder)).toEqual([9, 20, 100]);
    expect(await findInProc(folder, served(server("own")))).toEqual([9, 20, 100]);
  });

  it("picks the one in this game server's folder, also by a link to it", async () => {
    process(9, "bedrock_server", "/opt/bedrock_server", server("other"));
    process(20, "bedrock_server", "/opt/bedrock_server", server("own"));
    process(30, "bedrock_server");
    expect(await findInProc(folder, served(server("own")))).toEqual([20]);
    symlinkSync(server("own"), join(folder, "link"));
    expect(await findInProc(folder, served(join(folder, "link")))).toEqual([20]);
  });

  it("picks the one that has the world open, even if its folder is unreadable", async () => {
    for (const pid of [9, 20]) process(pid, "bedrock_server", "/opt/bedrock_server");
    expect(await findInProc(folder, served(server("own"), 20))).toEqual([20]);
  });

  it("picks the only candidate, and none of another game server", async () => {
    process(9, "bedrock_server", "/opt/bedrock_server", server("other"));
    expect(await findInProc(folder, served(server("own")))).toEqual([]);
    process(20, "bedrock_server", "/opt/bedrock_server");
    expect(await findInProc(folder, served(server("own")))).toEqual([20]);
  });

  it("picks no server of another name", async () => {
    process(9, "bedrock_server", "/opt/bedrock_server", server("lobby"));
    process(20, "bedrock_server", "/opt/bedrock_server");
    const others = [of(server("lobby"))];
    expect(await findInProc(folder, { own: undefined, others })).toEqual([20]);
    process(30, "bedrock_server", "/opt/bedrock_server", server("own"));
    expect(await findInProc(folder, { own: of(server("own")), others })).toEqual([30]);
  });

  it("ignores ended processes, similar names and entries that are not processes", async () => {
    process(5, "bedrock_server");
    process(6, "bedrock_server2", "/opt/bedrock_server2");
    process(7, "bedrock_server-x", "/opt/bedrock_server-x");
    write("version", "Linux");
    expect(await findInProc(folder)).toEqual([]);
  });
});

describe("findInTaskList", () => {
  it("finds the process ids of the executable", () => {
    const line = (pid: number) => `"bedrock_server.exe","${pid}","Console","1","512,000 K"\r\n`;
    expect(findInTaskList(line(900) + line(84))).toEqual([900, 84]);
    expect(findInTaskList("INFO: No tasks are running which match the specified criteria.\r\n")).toEqual([]);
  });
});

describe("memoryLimit", () => {
  const folders = () => ({ proc: join(folder, "proc"), cgroup: join(folder, "cgroup") });

  it("returns the lowest limit of the process's cgroups", async () => {
    write("proc/7/cgroup", "0::/system.slice/bds.service\n");
    write("cgroup/system.slice/bds.service/memory.max", "max\n");
    write("cgroup/system.slice/memory.max", "3000\n");
    expect(await memoryLimit(8, 9000, folders())).toBe(9000);
    expect(await memoryLimit(7, 9000, folders())).toBe(3000);
    expect(await memoryLimit(7, 2000, folders())).toBe(2000);
  });

  it("reads cgroups v1", async () => {
    write("proc/7/cgroup", "12:cpu,memory:/docker/abc\n11:cpuset:/\n");
    write("cgroup/memory/memory.limit_in_bytes", "4000\n");
    expect(await memoryLimit(7, 9000, folders())).toBe(4000);
    write("cgroup/memory/docker/abc/memory.limit_in_bytes", "9223372036854771712\n");
    expect(await memoryLimit(7, 3000, folders())).toBe(3000);
  });

  it("never reads outside of the cgroup folder", () => {
    for (const file of limitFiles("0::/../../../etc/x\n3:memory:/../..\n", "/sys/fs/cgroup"))
      expect(file).toMatch(/^\/sys\/fs\/cgroup\//);
  });
});

needs("Linux", process.platform === "linux").describe("a process of this machine", () => {
  const NOTED = "server.json";
  let children: ChildProcess[];
  beforeEach(() => {
    children = [];
  });
  afterEach(async () => {
    for (const child of children) {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    }
  });

  async function start(name: string): Promise<ChildProcess & { pid: number }> {
    const cwd = join(folder, name);
    mkdirSync(cwd);
    const program = join(cwd, "bedrock_server");
    copyFileSync(process.execPath, program, constants.COPYFILE_FICLONE);
    const child = spawn(program, ["-e", "setInterval(() => {}, 1e6)"], { cwd, stdio: "ignore" });
    children.push(child);
    await once(child, "spawn");
    return Object.assign(child, { pid: child.pid ?? 0 });
  }

  it("is found by its executable, measured, and lost when it has ended", async () => {
    const child = await start("server");
    const { pid } = child;
    expect(await isServer(pid)).toBe(true);
    expect(await findServers(folder)).toContain(pid);
    const usage = await thisMachine.usage(pid);
    expect(usage.memory).toBeGreaterThan(10_000);
    expect(usage.cpuMs).toBeGreaterThanOrEqual(0);
    expect(await thisMachine.memoryLimit(pid)).toBeGreaterThan(0);
    expect(await thisMachine.memoryLimit(pid)).toBeLessThanOrEqual(totalmem());
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(await isServer(pid)).toBe(false);
    await expect(thisMachine.usage(pid)).rejects.toThrow();
  });

  needs("Python 3", hasPython).it("is seen from the lock that it holds on its world", async () => {
    const lock = join(folder, "server", "worlds", "W", "db", "LOCK");
    write("server/worlds/W/db/LOCK", "");
    write(NOTED, JSON.stringify({ servers: [{ server: join(folder, "server"), world: "W" }] }));
    expect((await readKnown(folder, undefined)).own).toMatchObject({ holder: undefined });
    const child = spawn("python3", ["-c", LOCKER, lock], { stdio: ["pipe", "pipe", "inherit"] });
    children.push(child);
    await once(child.stdout, "data");
    expect((await readKnown(folder, undefined)).own).toMatchObject({ holder: child.pid });
    expect(await readKnown(folder, "lobby")).toMatchObject({
      own: undefined,
      others: [{ holder: child.pid }],
    });
  });

  it("is this game server's among several, once setup has noted its folder", async () => {
    const [first, second] = [await start("first"), await start("second")];
    expect(await findServers(folder)).toEqual(expect.arrayContaining([first.pid, second.pid]));
    const note = (server: string): void =>
      write(NOTED, JSON.stringify({ servers: [{ server, world: "W" }] }));
    note(join(folder, "second"));
    expect(await findServers(folder)).toEqual([second.pid]);
    renameSync(join(folder, "first"), join(folder, "renamed"));
    note(join(folder, "renamed"));
    expect(await findServers(folder)).toEqual([first.pid]);
    note(join(folder, "gone"));
    expect(await findServers(folder)).toEqual(expect.arrayContaining([first.pid, second.pid]));
    write(NOTED, "{");
    expect(await findServers(folder)).toEqual(expect.arrayContaining([first.pid, second.pid]));
  });
});

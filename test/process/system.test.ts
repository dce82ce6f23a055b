import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { findInProc, findInTaskList, findServer, isServer } from "../../sidecar/process/find.ts";
import { thisMachine } from "../../sidecar/process/machine.ts";
import { limitFiles, memoryLimit } from "../../sidecar/process/memory-limit.ts";
import { needs } from "../helpers/runner.ts";

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
  const process = (pid: number, comm: string, exe?: string): void => {
    write(`${pid}/comm`, `${comm}\n`);
    if (exe !== undefined) symlinkSync(exe, join(folder, String(pid), "exe"));
  };

  it("finds the process by its executable, in any folder, replaced or not", async () => {
    process(5, "bash", "/bin/bash");
    process(30, "anything", "/opt/b d s/bedrock_server (deleted)");
    expect(await findInProc(folder)).toBe(30);
  });

  it("prefers the executable to a script of that name that started it", async () => {
    process(5, "bedrock_server", "/bin/sh");
    expect(await findInProc(folder)).toBe(5);
    process(6, "bedrock_server", "/opt/bedrock_server");
    expect(await findInProc(folder)).toBe(6);
  });

  it("finds a server whose file carries its version", async () => {
    process(5, "bedrock_server-", "/data/bedrock_server-1.26.51.1");
    expect(await findInProc(folder)).toBe(5);
  });

  it("takes the lowest of several", async () => {
    for (const pid of [100, 20, 9]) process(pid, "bedrock_server", "/opt/bedrock_server");
    expect(await findInProc(folder)).toBe(9);
  });

  it("leaves out what has ended, what is only called alike, and what is no process", async () => {
    process(5, "bedrock_server");
    process(6, "bedrock_server2", "/opt/bedrock_server2");
    process(7, "bedrock_server-x", "/opt/bedrock_server-x");
    write("version", "Linux");
    expect(await findInProc(folder)).toBeUndefined();
  });
});

describe("findInTaskList", () => {
  it("takes the lowest process id of the executable", () => {
    const line = (pid: number) => `"bedrock_server.exe","${pid}","Console","1","512,000 K"\r\n`;
    expect(findInTaskList(line(900) + line(84))).toBe(84);
    expect(
      findInTaskList("INFO: No tasks are running which match the specified criteria.\r\n"),
    ).toBeUndefined();
  });
});

describe("memoryLimit", () => {
  const folders = () => ({ proc: join(folder, "proc"), cgroup: join(folder, "cgroup") });

  it("takes the tightest limit of the process's groups", async () => {
    write("proc/7/cgroup", "0::/system.slice/bds.service\n");
    write("cgroup/system.slice/bds.service/memory.max", "max\n");
    write("cgroup/system.slice/memory.max", "3000\n");
    expect(await memoryLimit(7, 9000, folders())).toBe(3000);
    expect(await memoryLimit(7, 2000, folders())).toBe(2000);
  });

  it("reads the older kind of groups", async () => {
    write("proc/7/cgroup", "12:cpu,memory:/docker/abc\n11:cpuset:/\n");
    write("cgroup/memory/memory.limit_in_bytes", "4000\n");
    expect(await memoryLimit(7, 9000, folders())).toBe(4000);
    write("cgroup/memory/docker/abc/memory.limit_in_bytes", "9223372036854771712\n");
    expect(await memoryLimit(7, 3000, folders())).toBe(3000);
  });

  it("takes the machine's memory where no group is known", async () => {
    expect(await memoryLimit(7, 9000, folders())).toBe(9000);
  });

  it("never looks outside of the folder of groups", () => {
    for (const file of limitFiles("0::/../../../etc/x\n3:memory:/../..\n", "/sys/fs/cgroup"))
      expect(file).toMatch(/^\/sys\/fs\/cgroup\//);
  });
});

needs("Linux", process.platform === "linux").describe("a process of this machine", () => {
  it("is found by the name of its executable, measured, and missed when it has ended", async () => {
    const program = join(folder, "bedrock_server");
    copyFileSync(process.execPath, program, constants.COPYFILE_FICLONE);
    const child = spawn(program, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
    await once(child, "spawn");
    const pid = child.pid ?? 0;
    try {
      expect(await isServer(pid)).toBe(true);
      expect(typeof (await findServer())).toBe("number");
      const usage = await thisMachine.usage(pid);
      expect(usage.memory).toBeGreaterThan(10_000);
      expect(usage.cpuMs).toBeGreaterThanOrEqual(0);
      expect(await thisMachine.memoryLimit(pid)).toBeGreaterThan(0);
      expect(await thisMachine.memoryLimit(pid)).toBeLessThanOrEqual(totalmem());
    } finally {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    expect(await isServer(pid)).toBe(false);
    await expect(thisMachine.usage(pid)).rejects.toThrow();
  });
});

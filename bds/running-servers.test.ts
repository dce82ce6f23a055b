import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { makeServer } from "../scripts/make-server.mjs";
import { ended } from "../test/helpers/ended.ts";
import { newFolder } from "../test/helpers/folder.ts";
import { needs } from "../test/helpers/needs.ts";
import { worldPaths } from "./folder.ts";
import { findRunningServer, type ProcessTable } from "./running-servers.ts";
import { systemProcesses } from "./system.ts";

const isLinux = process.platform === "linux";
const hasPython = isLinux && spawnSync("python3", ["--version"]).status === 0;
const LOCKER = `
import fcntl, sys
held = open(sys.argv[1], "r+")
fcntl.lockf(held, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()`;

describe("a running server", () => {
  let folder: string;
  let children: ChildProcess[];
  beforeEach(async () => {
    folder = newFolder("running server ü ");
    children = [];
    await makeServer(folder, { levelName: "My World" });
  });
  afterEach(() => ended(...children));

  const server = () => ({ root: folder, world: worldPaths(join(folder, "worlds", "My World")) });

  async function start(program: string, args: string[], cwd: string): Promise<number | undefined> {
    const child = spawn(program, args, { cwd, stdio: ["pipe", "pipe", "inherit"] });
    children.push(child);
    if (child.stdout !== null) await once(child.stdout, "data");
    return child.pid;
  }

  it("is not reported if there is none", () => {
    expect(findRunningServer(server(), systemProcesses)).toBeUndefined();
  });

  needs("Python 3", hasPython).it("is seen by the lock that it holds on its world", async () => {
    const pid = await start("python3", ["-c", LOCKER, server().world.lock], tmpdir());
    expect(findRunningServer(server(), systemProcesses)).toEqual({ pid });
  });

  needs("Linux", isLinux).it("is seen by its program and its folder, before it opens a world", async () => {
    const program = join(folder, "bedrock_server");
    copyFileSync(process.execPath, program);
    const script = "console.log('up'); process.stdin.resume()";
    const pid = await start(program, ["-e", script], folder);
    expect(findRunningServer(server(), systemProcesses)).toEqual({ pid });
    const link = `${folder} link`;
    symlinkSync(folder, link);
    expect(findRunningServer({ ...server(), root: link }, systemProcesses)).toEqual({ pid });
    rmSync(link);
    const elsewhere = newFolder("other server ");
    expect(
      findRunningServer({ root: elsewhere, world: worldPaths(elsewhere) }, systemProcesses),
    ).toBeUndefined();
    rmSync(elsewhere, { recursive: true });
  });

  const quiet: ProcessTable = {
    platform: "linux",
    locks: () => [],
    pids: () => [],
    linkOf: () => undefined,
    realPath: path => path,
    identityOf: () => ({ device: 0x803n, inode: 42n }),
    opens: () => true,
  };

  it.each([
    ["1: POSIX  ADVISORY  WRITE 4711 08:03:42 0 EOF", { pid: 4711 }],
    ["1: OFDLCK ADVISORY  WRITE -1 08:03:42 0 EOF", { pid: undefined }],
    ["1: FLOCK  ADVISORY  WRITE 12 00:2f:42 0 EOF", { pid: 12 }],
    ["1: POSIX  ADVISORY  WRITE 4711 08:04:42 0 EOF", undefined],
    ["1: POSIX  ADVISORY  WRITE 4711 08:03:421 0 EOF", undefined],
    ["garbage", undefined],
  ])("is read from the line %s", (line, wanted) => {
    expect(findRunningServer(server(), { ...quiet, locks: () => [line] })).toEqual(wanted);
  });

  it("is detected on Windows by a lock file that no one else can open", () => {
    expect(findRunningServer(server(), { ...quiet, platform: "win32", opens: () => false })).toEqual({
      pid: undefined,
    });
    expect(findRunningServer(server(), { ...quiet, platform: "win32" })).toBeUndefined();
  });
});

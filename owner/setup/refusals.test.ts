import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { systemProcesses } from "../../bds/system.ts";
import { bench, freshBench, SCRIPT, timesOf, treeOf } from "../../test/helpers/server-setup.ts";
import { systemDisk } from "./disk.ts";
import { inWords } from "./output.ts";

/** A process that is not this one. */
const OTHER = process.pid + 1;

freshBench();

const fileTimes = (): [string, number][] =>
  Object.entries(timesOf(bench.server)).filter(([name]) => statSync(bench.path(name)).isFile());

/** Why setup stops; fails if it has changed anything of the server's. */
async function refusal(): Promise<string> {
  const [tree, times] = [treeOf(bench.server), fileTimes()];
  const why = await bench.setUp().then(
    outcome => `it was ${outcome.end}`,
    (error: unknown) => inWords(error),
  );
  expect(treeOf(bench.server)).toEqual(tree);
  expect(fileTimes()).toEqual(times);
  return why;
}

describe("setup rejects", () => {
  it("a world that lost its level.dat, and names the copy to restore", async () => {
    renameSync(bench.world("level.dat"), bench.world("level.dat_old"));
    expect(await refusal()).toMatch(
      /level\.dat: is missing, but the rest of the world is there: copy .+level\.dat_old to it, and run setup again$/,
    );
    rmSync(bench.world("level.dat_old"));
    expect(await refusal()).toMatch(/the rest of the world is there: take it from a backup of the world/);
  });

  it("an unknown world name, and lists the existing worlds before it says how to create one", async () => {
    renameSync(bench.world(""), bench.path("worlds/Other world"));
    expect(await refusal()).toMatch(
      /server.properties: level-name: there is no world ".+": worlds has only Other world: if level-name is mistyped, correct it; for a new world, start the server once/,
    );
  });

  it("a world name that differs from another only in case or blanks, and names that one", async () => {
    renameSync(bench.world(""), bench.path("worlds/ülis_schöne welt 世界"));
    expect(await refusal()).toMatch(/: set level-name=ülis_schöne welt 世界 and run setup again$/);
    rmSync(bench.path("worlds"), { recursive: true });
    expect(await refusal()).toMatch(/there is no world yet: start the server once, stop it/);
  });

  it("a truncated level.dat, and an invalid list of packs", async () => {
    const [level, list] = [bench.world("level.dat"), bench.world("world_behavior_packs.json")];
    const whole = readFileSync(level);
    writeFileSync(level, whole.subarray(0, 100));
    expect(await refusal()).toMatch(/level.dat: it is truncated/);
    writeFileSync(level, whole);
    writeFileSync(list, "[ { oops ]");
    expect(await refusal()).toMatch(/world_behavior_packs.json: invalid JSON at line 1, column/);
  });

  it("a missing configuration, for a server that has the token of a sidecar", async () => {
    expect((await bench.setUp()).end).toBe("done");
    rmSync(dirname(bench.config), { recursive: true });
    expect(await refusal()).toMatch(
      /config.yml: does not exist, but the server already has the token.+--config/,
    );
    expect(existsSync(bench.config)).toBe(false);
  });

  it.each(["permissions.json", "variables.json", "secrets.json"])("a %s that cannot be read", async name => {
    const folder = bench.path(SCRIPT);
    mkdirSync(folder);
    writeFileSync(join(folder, name), '{ "a": ');
    expect(await refusal()).toMatch(`${name}: invalid JSON`);
    rmSync(join(folder, name));
    mkdirSync(join(folder, name));
    expect(await refusal()).toMatch(/a folder is where a file is expected/);
  });

  it("another pack in the folder of the bridge's pack", async () => {
    renameSync(bench.path("behavior_packs/other pack"), bench.path("behavior_packs/web_bridge"));
    expect(await refusal()).toMatch(/web_bridge\/: holds another pack, Other: move it elsewhere/);
  });

  it("a running server, at the start and right before the changes", async () => {
    let looks = 0;
    const running = (from: number) => ({
      ...systemProcesses,
      pids: () => (looks++ >= from ? [4711] : []),
      linkOf: (_pid: number, what: "cwd" | "exe") =>
        what === "cwd" ? bench.server : bench.path("bedrock_server"),
    });
    for (const from of [0, 1]) {
      looks = 0;
      bench.processes = running(from);
      expect(await refusal()).toMatch(/the server is running \(process 4711\): stop it with "stop"/);
      expect(looks).toBe(from + 1);
    }
  });

  it("a broken link", async () => {
    rmSync(bench.world("world_behavior_packs.json"));
    symlinkSync(bench.path("nowhere"), bench.world("world_behavior_packs.json"));
    await expect(bench.setUp().catch(error => Promise.reject(new Error(inWords(error))))).rejects.toThrow(
      /world_behavior_packs.json: the symbolic link there is broken/,
    );
    expect(existsSync(bench.path("web-bridge-setup"))).toBe(false);
  });

  it("a second setup at the same time, and takes over the lock of a killed one", async () => {
    bench.isAlive = pid => pid === OTHER;
    mkdirSync(bench.path("web-bridge-setup"));
    writeFileSync(bench.path("web-bridge-setup/lock"), `${OTHER}\n`);
    expect(await refusal()).toContain(`another setup is running in this folder (process ${OTHER})`);
    writeFileSync(bench.path("web-bridge-setup/lock"), "");
    expect(await refusal()).toMatch(/another setup is running in this folder:/);
    writeFileSync(bench.path("web-bridge-setup/lock"), `${OTHER + 1}\n`);
    expect((await bench.setUp()).end).toBe("done");
  });

  it("a second setup because of the first, not because of its partly written pack", async () => {
    renameSync(bench.path("behavior_packs/other pack"), bench.path("behavior_packs/web_bridge"));
    bench.isAlive = pid => pid === OTHER;
    mkdirSync(bench.path("web-bridge-setup"));
    writeFileSync(bench.path("web-bridge-setup/lock"), `${OTHER}\n`);
    expect(await refusal()).toMatch(
      new RegExp(`^another setup is running in this folder \\(process ${OTHER}\\)`),
    );
  });

  it("nothing when files that another setup had partly written are complete at the second check", async () => {
    await bench.setUp();
    const [manifest, lock] = ["behavior_packs/web_bridge/manifest.json", "web-bridge-setup/lock"];
    const another = systemDisk.read(bench.path("behavior_packs/other pack/manifest.json"));
    let isHalfWritten = true;
    bench.disk = {
      ...systemDisk,
      read(path) {
        // Behind the first look.
        if (path === join(bench.server, lock)) isHalfWritten = false;
        return isHalfWritten && path === join(bench.server, manifest) ? another : systemDisk.read(path);
      },
    };
    expect([(await bench.setUp()).end, isHalfWritten]).toEqual(["nothing", false]);
  });

  it("a second setup if another one has just taken over the same lock", async () => {
    const lock = join(bench.server, "web-bridge-setup/lock");
    mkdirSync(dirname(lock));
    writeFileSync(lock, "4711\n");
    bench.disk = {
      ...systemDisk,
      read: path => (path === lock ? Buffer.from("4712\n") : systemDisk.read(path)),
    };
    expect(await refusal()).toMatch(/another setup is running in this folder:/);
  });

  it.each([
    ["in a container where each is process 1", `${process.pid}\n`, 0],
    ["which had no room for its number", "", 60],
  ])("nothing because of the lock of a setup that was killed %s", async (_, lock, secondsAgo) => {
    bench.isAlive = () => true;
    mkdirSync(bench.path("web-bridge-setup"));
    const path = bench.path("web-bridge-setup/lock");
    writeFileSync(path, lock);
    const then = Date.now() / 1_000 - secondsAgo;
    utimesSync(path, then, then);
    expect((await bench.setUp()).end).toBe("done");
  });

  it("a folder in which this user cannot create files, before it changes anything", async () => {
    bench.disk = { ...systemDisk, takesFiles: path => !path.endsWith(bench.levelName) };
    expect(await refusal()).toMatch(/level.dat: /);
  });

  it.each([
    ["a pipe", (path: string) => spawnSync("mkfifo", [path]), /is a pipe or a device, expected a file/],
    [
      "a file of a gigabyte",
      (path: string) => {
        writeFileSync(path, "");
        truncateSync(path, 2 ** 30);
      },
      /is larger than 4 MiB/,
    ],
  ])("%s instead of a file, without waiting for it", async (_name, make, why) => {
    await bench.setUp();
    for (const name of [`${SCRIPT}/secrets.json`, "server.properties"]) {
      const path = bench.path(name);
      renameSync(path, join(bench.folder, "aside"));
      make(path);
      await expect(bench.setUp()).rejects.toThrow(why);
      rmSync(path);
      renameSync(join(bench.folder, "aside"), path);
    }
    expect((await bench.undo()).end).toBe("done");
  });
});

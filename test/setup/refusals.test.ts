import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { systemSigns } from "../../owner/bds/system.ts";
import { systemDisk } from "../../owner/setup/disk.ts";
import { inWords } from "../../owner/setup/show.ts";
import { bench, freshBench, serversOwn, timesOf, treeOf } from "../helpers/server-setup.ts";

freshBench();

const fileTimes = (): [string, number][] =>
  Object.entries(timesOf(bench.server)).filter(([name]) => statSync(bench.path(name)).isFile());

/** Why setup will not go on; fails when it has changed anything of the server's. */
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

describe("setup refuses", () => {
  it("a world that does not exist yet", async () => {
    rmSync(bench.world(""), { recursive: true });
    expect(await refusal()).toMatch(/there is no world yet: start the server once, stop it/);
  });

  it("a world that lost its level.dat, and names the copy that brings it back", async () => {
    renameSync(bench.world("level.dat"), bench.world("level.dat_old"));
    expect(await refusal()).toMatch(
      /level\.dat: is missing, and the rest of the world is there: copy .+level\.dat_old to it, and run setup again$/,
    );
    rmSync(bench.world("level.dat_old"));
    expect(await refusal()).toMatch(/the rest of the world is there: take it from a backup of the world/);
  });

  it("a world whose name is new, and says what makes it before it names those that are there", async () => {
    renameSync(bench.world(""), bench.path("worlds/Other world"));
    expect(await refusal()).toMatch(
      /server.properties: level-name: .+: there is no such world, but Other world: start the server once, stop it .+correct level-name$/,
    );
  });

  it("a world whose name is that of another but for case and blanks, and names that one", async () => {
    renameSync(bench.world(""), bench.path("worlds/ülis_schöne welt 世界"));
    expect(await refusal()).toMatch(/: set level-name=ülis_schöne welt 世界 and run setup again$/);
  });

  it("a level.dat that is not whole, and a list of packs that is none", async () => {
    const [level, list] = [bench.world("level.dat"), bench.world("world_behavior_packs.json")];
    const whole = readFileSync(level);
    writeFileSync(level, whole.subarray(0, 100));
    expect(await refusal()).toMatch(/level.dat: it is cut short/);
    writeFileSync(level, whole);
    writeFileSync(list, "[ { oops ]");
    expect(await refusal()).toMatch(/world_behavior_packs.json: it is no JSON: line 1, column/);
  });

  it("a configuration that is nowhere, for a server that knows the token of a sidecar", async () => {
    expect((await bench.setUp()).end).toBe("done");
    rmSync(dirname(bench.config), { recursive: true });
    expect(await refusal()).toMatch(/config.yml: there is no configuration of the sidecar here.+--config/);
    expect(existsSync(bench.config)).toBe(false);
  });

  it.each(["permissions.json", "variables.json", "secrets.json"])("a %s that cannot be read", async name => {
    const folder = bench.path("config/d09dd5f3-f8bd-4efc-8114-e391c22053b3");
    mkdirSync(folder);
    writeFileSync(join(folder, name), '{ "a": ');
    expect(await refusal()).toMatch(`${name}: it is no JSON`);
    rmSync(join(folder, name));
    mkdirSync(join(folder, name));
    expect(await refusal()).toMatch(/a folder is where a file is expected/);
  });

  it("a foreign pack in the folder of its own", async () => {
    renameSync(bench.path("behavior_packs/other pack"), bench.path("behavior_packs/web_bridge"));
    expect(await refusal()).toMatch(/web_bridge\/: holds another pack, Other: move it elsewhere/);
  });

  it("a running server, before and at the last moment", async () => {
    let looks = 0;
    const running = (from: number) => ({
      ...systemSigns,
      pids: () => (looks++ >= from ? [4711] : []),
      linkOf: (_pid: number, what: "cwd" | "exe") =>
        what === "cwd" ? bench.server : bench.path("bedrock_server"),
    });
    for (const from of [0, 1]) {
      looks = 0;
      bench.signs = running(from);
      expect(await refusal()).toMatch(/the server is running \(process 4711\): stop it with "stop"/);
      expect(looks).toBe(from + 1);
    }
  });

  it("a link that leads nowhere", async () => {
    rmSync(bench.world("world_behavior_packs.json"));
    symlinkSync(bench.path("nowhere"), bench.world("world_behavior_packs.json"));
    await expect(bench.setUp().catch(error => Promise.reject(new Error(inWords(error))))).rejects.toThrow(
      /world_behavior_packs.json: the symbolic link there leads nowhere/,
    );
    expect(existsSync(bench.path("web-bridge-setup"))).toBe(false);
  });

  describe("at length", () => {
    it("to work beside another setup", async () => {
      bench.isAlive = pid => pid === 4711;
      mkdirSync(bench.path("web-bridge-setup"));
      writeFileSync(bench.path("web-bridge-setup/lock"), "4711 other\n");
      expect(await refusal()).toMatch(/another setup is at work in this folder \(process 4711\)/);
      writeFileSync(bench.path("web-bridge-setup/lock"), "4712 killed\n");
      expect((await bench.setUp()).end).toBe("done");
    });

    it("for another setup, and not for the half of a pack that it has written", async () => {
      renameSync(bench.path("behavior_packs/other pack"), bench.path("behavior_packs/web_bridge"));
      bench.isAlive = pid => pid === 4711;
      mkdirSync(bench.path("web-bridge-setup"));
      writeFileSync(bench.path("web-bridge-setup/lock"), "4711 other\n");
      expect(await refusal()).toMatch(/^another setup is at work in this folder \(process 4711\)/);
      rmSync(bench.path("web-bridge-setup"), { recursive: true });
      expect(await refusal()).toMatch(/holds another pack/);
    });

    it("nothing when what another setup had half written is there at the second look", async () => {
      await bench.setUp();
      let looks = 0;
      bench.disk = {
        ...systemDisk,
        read: path =>
          path.endsWith(join("web_bridge", "manifest.json")) && path.startsWith(bench.server) && looks++ === 0
            ? Buffer.from("{}")
            : systemDisk.read(path),
      };
      expect((await bench.setUp()).end).toBe("nothing");
      expect(looks).toBeGreaterThan(1);
    });

    it.each([
      ["ENOSPC", /the disk is full/],
      ["EROFS", /the disk is read-only/],
      ["EBUSY", /(it is mounted by itself|another program has it open).*, and run setup again/],
      ["EACCES", /this user may not read or change it/],
    ])("a disk that answers %s, at whichever step", async (code, reason) => {
      let left = 0;
      const fail = (path: string): void => {
        if (left-- > 0) return;
        throw Object.assign(new Error(code), { code, path });
      };
      bench.disk = {
        ...systemDisk,
        create: (path, bytes, mode, inPlaceOf) => {
          if (left === 0) writeFileSync(path, bytes.subarray(0, bytes.length / 2));
          fail(path);
          systemDisk.create(path, bytes, mode, inPlaceOf);
        },
        makeFolder: (path, mode) => {
          fail(path);
          systemDisk.makeFolder(path, mode);
        },
      };
      const steps: string[] = [];
      for (let step = 0; steps.length === step; step++) {
        left = step;
        const before = treeOf(bench.server);
        try {
          await bench.setUp();
        } catch (error) {
          expect(inWords(error)).toMatch(reason);
          steps.push(inWords(error));
          expect(treeOf(bench.server)).toEqual(before);
        }
      }
      expect(steps.length).toBeGreaterThan(20);
    });

    it("a full disk in a second run, and undo still goes back to the beginning", async () => {
      const before = treeOf(bench.server);
      await bench.setUp();
      const first = treeOf(bench.server);
      bench.buildPack([0, 2, 0]);
      let failed = 0;
      for (let left = 0; failed === left; left++) {
        let writes = 0;
        bench.disk = {
          ...systemDisk,
          create: (path, bytes, mode, inPlaceOf) => {
            if (writes++ === left) throw Object.assign(new Error("full"), { code: "ENOSPC", path });
            systemDisk.create(path, bytes, mode, inPlaceOf);
          },
        };
        await bench.setUp().then(
          () => undefined,
          () => failed++,
        );
        if (failed > left) expect(serversOwn(treeOf(bench.server))).toEqual(serversOwn(first));
      }
      expect(failed).toBeGreaterThan(3);
      bench.disk = systemDisk;
      await bench.undo();
      expect(treeOf(bench.server)).toEqual(before);
    });

    it("a journal that cannot be read", async () => {
      await bench.setUp();
      bench.buildPack([0, 2, 0]);
      writeFileSync(bench.path("web-bridge-setup/journal.json"), "{");
      expect(await refusal()).toMatch(/journal.json: cannot be read: .*: delete .* to go on without undo/);
    });
  });
});

describe("setup follows", () => {
  it("symbolic links and leaves them in place", async () => {
    const elsewhere = bench.path("shared");
    mkdirSync(elsewhere);
    renameSync(bench.path("worlds"), join(elsewhere, "worlds"));
    symlinkSync(join(elsewhere, "worlds"), bench.path("worlds"));
    renameSync(bench.path("server.properties"), join(elsewhere, "settings"));
    symlinkSync(join(elsewhere, "settings"), bench.path("server.properties"));
    const before = treeOf(elsewhere);
    await bench.setUp();
    expect(bench.read(join(elsewhere, "settings"))).toContain("enabled=true");
    const links = spawnSync("find", [bench.server, "-type", "l"], { encoding: "utf8" }).stdout.trim();
    expect(links.split("\n")).toHaveLength(2);
    expect((await bench.setUp()).end).toBe("nothing");
    await bench.undo();
    expect(treeOf(elsewhere)).toEqual(before);
    expect(existsSync(bench.path("web-bridge-setup"))).toBe(false);
  });
});

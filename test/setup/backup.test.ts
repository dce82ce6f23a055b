import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { type Disk, systemDisk } from "../../owner/setup/disk.ts";
import { planLines } from "../../owner/setup/show.ts";
import { IS_ROOT, OthersServer, OWNER } from "../helpers/others-server.ts";
import { needs } from "../helpers/runner.ts";
import { bench, freshBench, serversOwn, type Tree, treeOf } from "../helpers/server-setup.ts";

freshBench();
let told: string[];
let free: number | undefined;
beforeEach(async () => {
  [told, free] = [[], undefined];
  writeFileSync(bench.world("db/000005.ldb"), Buffer.alloc(3_000_000, 7));
  mkdirSync(bench.world("db/lost"), { mode: 0o700 });
  chmodSync(bench.world("levelname.txt"), 0o600);
});

const backup = {
  now: () => 1_800_000_000_000,
  freeBytes: () => free,
  tell: (line: string) => void told.push(line),
};
const copies = (): string[] => readdirSync(bench.path("backups"));
const own = (): Tree => serversOwn(treeOf(bench.server));

/** Why no copy is made; fails when anything is left of it or has been changed. */
async function refusal(): Promise<string> {
  const before = own();
  const why = await bench.setUp({ backup }).then(
    ({ end }) => `it was ${end}`,
    (error: unknown) => String(error),
  );
  expect(own()).toEqual(before);
  return why;
}

describe("setup with --backup", () => {
  it("copies the world before it changes it, and undo leaves the copy alone", async () => {
    const [server, world] = [own(), treeOf(bench.world(""))];
    const { end, backup: folder = "" } = await bench.setUp({ backup });
    expect(end).toBe("done");
    expect(folder).toMatch(/backups.Ülis schöne Welt 世界-2027-01-15-\d\d-\d\d-\d\d$/);
    expect(treeOf(folder)).toEqual(world);
    expect(treeOf(bench.world(""))).not.toEqual(world);
    expect(told).toEqual([`backup: ${folder} (7 files, 3 MB), the same as the world`]);
    await bench.undo();
    expect(treeOf(folder)).toEqual(world);
    rmSync(bench.path("backups"), { recursive: true });
    expect(treeOf(bench.server)).toEqual(server);
  });

  it("says before that step that it is permanent and what it costs, and what to do", async () => {
    await bench.setUp({ dryRun: true });
    bench.answer = false;
    await bench.setUp();
    expect(planLines(bench.plan).join("\n")).toMatch(
      /off -> on\n\s+this is permanent .*turns achievements off in this world for good\n\s+back up worlds\/Ülis schöne Welt 世界 first: answer b below, or add --backup/,
    );
    await bench.setUp({ backup });
    expect(planLines(bench.plan).join("\n")).toContain("the world is backed up first");
    expect(existsSync(bench.path("backups"))).toBe(false);
    bench.answer = true;
    await bench.setUp();
    expect((await bench.setUp({ backup })).end).toBe("nothing");
    bench.buildPack([0, 2, 0]);
    await bench.setUp({ backup });
    expect(planLines(bench.plan).join("\n")).not.toContain("permanent");
    expect(copies()).toHaveLength(1);
  });

  it("wants room for the copy, and says how much", async () => {
    free = 60 * 1024 * 1024;
    expect(await refusal()).toMatch(
      /backups: a copy of the world needs 67 MB, and 60 MB are free: make room/,
    );
  });

  it("refuses a copy that is not the same", async () => {
    let copied = false;
    bench.disk = {
      ...systemDisk,
      open: path => {
        if (path.includes("web-bridge-tmp") && path.endsWith(".ldb") && !copied) {
          copied = true;
          const bytes = readFileSync(path);
          bytes[1_500_000] = 0;
          writeFileSync(path, bytes);
        }
        return systemDisk.open(path);
      },
    };
    expect(await refusal()).toMatch(/000005.ldb: is not what was copied: look after that disk/);
  });

  describe("at length", () => {
    it("tells how far a large copy is, and holds little of it at once", async () => {
      truncateSync(bench.world("db/000005.ldb"), 101 * 1024 * 1024);
      const before = process.memoryUsage().arrayBuffers;
      let most = 0;
      const tell = (line: string): void => {
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
        told.push(line);
      };
      await bench.setUp({ backup: { ...backup, tell } });
      expect(told.slice(0, 2)).toEqual(["backup: 10 % of 102 MB copied", "backup: 20 % of 102 MB copied"]);
      expect(told.slice(-2)[0]).toBe("backup: 100 % of 102 MB compared");
      expect(told).toHaveLength(21);
      expect(most).toBeLessThan(30 * 1024 * 1024);
    });

    it.each(["createBy", "makeFolder", "rename", "flush", "open"] as const)(
      "leaves nothing of it when it fails at any %s",
      async act => {
        let left = 0;
        const fail = (): void => {
          if (left-- === 0) throw Object.assign(new Error("ENOSPC: full"), { code: "ENOSPC" });
        };
        bench.disk = failing(act, fail);
        let failed = 0;
        for (left = 0; failed < 40; left = ++failed) {
          const before = own();
          const end = await bench.setUp({ backup }).then(
            outcome => outcome.end,
            () => "failed",
          );
          if (end === "done") break;
          if (existsSync(bench.path("backups"))) {
            // What fails after the copy leaves it whole.
            expect(told.at(-1)).toContain("the same as the world");
            rmSync(bench.path("backups"), { recursive: true });
          }
          expect(own()).toEqual(before);
        }
        expect(failed).toBeGreaterThan(0);
        expect(copies()).toHaveLength(1);
      },
    );

    it("refuses a world that somebody changes meanwhile, and one of a server that has started", async () => {
      const settled = { ...systemDisk };
      bench.disk = {
        ...settled,
        createBy: (path, ...rest) => {
          settled.createBy(path, ...rest);
          if (path.endsWith("level.dat")) writeFileSync(bench.world("levelname.txt"), "another");
        },
      };
      await expect(bench.setUp({ backup })).rejects.toThrow(
        /was changed while it was copied: stop the server/,
      );
      expect(existsSync(bench.path("backups"))).toBe(false);
      bench.disk = systemDisk;
      let asked = 0;
      bench.signs = {
        ...bench.signs,
        pids: () => (++asked > 2 ? [4711] : []),
        linkOf: (_pid, what) => (what === "exe" ? bench.path("bedrock_server") : bench.server),
      };
      expect(await refusal()).toMatch(/the server is running \(process 4711\)/);
    });

    it("refuses what cannot be copied, and takes away what a killed setup has left", async () => {
      symlinkSync(bench.path("server.properties"), bench.world("link"));
      expect(await refusal()).toMatch(/link: is no file or folder, which cannot be copied/);
      rmSync(bench.world("link"));
      mkdirSync(bench.path("backups/old.web-bridge-tmp/db"), { recursive: true });
      writeFileSync(bench.path("backups/old.web-bridge-tmp/db/1"), "half");
      symlinkSync(bench.world(""), bench.path("backups/old.web-bridge-tmp/link"));
      mkdirSync(bench.path("backups/mine"));
      await bench.setUp({ backup });
      expect(copies().filter(name => !name.startsWith("Ülis"))).toEqual(["mine"]);
      expect(existsSync(bench.world("level.dat"))).toBe(true);
    });
  });
});

/** A disk of which a member may fail before it acts. */
const failing = (act: keyof Disk, fail: () => void): Disk =>
  new Proxy(systemDisk, {
    get: (disk, name) => {
      if (name === act) fail();
      return Reflect.get(disk, name);
    },
  });

needs("root", IS_ROOT).it("root gives the copy to the owner of the server", async () => {
  const others = await new OthersServer().open();
  const { backup: folder = "" } = await others.setUp({ backup });
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  expect(names.length).toBeGreaterThan(5);
  for (const name of [".", "..", ...names]) {
    const { uid, gid } = lstatSync(join(folder, name));
    expect({ name, uid, gid }).toEqual({ name, ...OWNER });
  }
});

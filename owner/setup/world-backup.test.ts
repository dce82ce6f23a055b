import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { bench, freshBench, serversOwn, type Tree, treeOf } from "../../test/helpers/server-setup.ts";

freshBench();
let reported: string[];
let free: number | undefined;
beforeEach(async () => {
  [reported, free] = [[], undefined];
  writeFileSync(bench.world("db/000005.ldb"), Buffer.alloc(3_000_000, 7));
  mkdirSync(bench.world("db/lost"), { mode: 0o700 });
  chmodSync(bench.world("levelname.txt"), 0o600);
});

const backup = {
  now: () => 1_800_000_000_000,
  freeBytes: () => free,
  report: (line: string) => void reported.push(line),
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
  it("copies the world before it changes it, and undo keeps the copy", async () => {
    const [server, world] = [own(), treeOf(bench.world(""))];
    const { end, backup: folder = "" } = await bench.setUp({ backup });
    expect(end).toBe("done");
    expect(folder).toMatch(/backups.Ülis schöne Welt 世界-2027-01-15-\d\d-\d\d-\d\d$/);
    expect(treeOf(folder)).toEqual(world);
    expect(treeOf(bench.world(""))).not.toEqual(world);
    expect(reported).toEqual([`backup: ${folder} (7 files, 3 MB), verified`]);
    await bench.undo();
    expect(treeOf(folder)).toEqual(world);
    rmSync(bench.path("backups"), { recursive: true });
    expect(treeOf(bench.server)).toEqual(server);
  });

  it("warns before that step that it is permanent and turns off achievements, and says what to do", async () => {
    await bench.setUp({ dryRun: true });
    bench.answer = false;
    await bench.setUp();
    expect(bench.lines).toMatch(
      /off -> on\n\s+this is permanent .*turns off achievements in this world\n\s+back up worlds\/Ülis schöne Welt 世界 first: answer b below, or add --backup/,
    );
    await bench.setUp({ backup });
    expect(bench.lines).toContain("the world is backed up first");
    expect(existsSync(bench.path("backups"))).toBe(false);
    bench.answer = true;
    await bench.setUp();
    expect((await bench.setUp({ backup })).end).toBe("nothing");
    bench.buildPack([0, 2, 0]);
    await bench.setUp({ backup });
    expect(bench.lines).not.toContain("permanent");
    expect(copies()).toHaveLength(1);
  });

  it("needs free space for the copy, and says how much", async () => {
    free = 60 * 1024 * 1024;
    expect(await refusal()).toMatch(
      /backups: a copy of the world needs 67 MB, but only 60 MB are free: free some space/,
    );
  });

  it("rejects a world that cannot be copied, and removes the remains of a killed setup", async () => {
    symlinkSync(bench.path("server.properties"), bench.world("link"));
    expect(await refusal()).toMatch(/link: is neither a file nor a folder and cannot be copied/);
    rmSync(bench.world("link"));
    mkdirSync(bench.path("backups/old.web-bridge-tmp/db"), { recursive: true });
    writeFileSync(bench.path("backups/old.web-bridge-tmp/db/1"), "half");
    symlinkSync(bench.world(""), bench.path("backups/old.web-bridge-tmp/link"));
    mkdirSync(bench.path("backups/mine"));
    await bench.setUp({ backup });
    expect(copies().filter(name => !name.startsWith("Ülis"))).toEqual(["mine"]);
    expect(existsSync(bench.world("level.dat"))).toBe(true);
  });

  it("keeps other files next to a failed copy", async () => {
    let calls = 0;
    const pids = (): number[] => {
      if (++calls > 2) writeFileSync(bench.path("backups/nightly.tar.gz"), "");
      return calls > 2 ? [4711] : [];
    };
    const linkOf = (_pid: number, what: string) =>
      what === "exe" ? bench.path("bedrock_server") : bench.server;
    bench.processes = { ...bench.processes, pids, linkOf };
    await expect(bench.setUp({ backup })).rejects.toThrow("the server is running (process 4711)");
    expect(copies()).toEqual(["nightly.tar.gz"]);
    expect(bench.read(bench.path("server.properties"))).toContain("content-log-console-output-enabled=false");
  });
});

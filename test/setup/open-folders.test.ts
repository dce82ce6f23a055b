import { chmodSync, chownSync, lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { isProblem } from "../../doctor/finding.ts";
import { IS_ROOT, OthersServer, OWNER } from "../helpers/others-server.ts";
import { needs } from "../helpers/runner.ts";
import { treeOf } from "../helpers/server-setup.ts";

let bench: OthersServer;
beforeEach(() => {
  bench = new OthersServer();
});
afterEach(() => bench.remove());

needs("root", IS_ROOT).describe("folders of root's in which others may write", () => {
  it.each([
    [".", 0o777, 'chmod -R go-w "'],
    [".", 0o775, 'chmod -R go-w "'],
    ["worlds", 0o777, 'chmod -R go-w "'],
    ["config", 0o2772, 'chmod -R go-w "'],
    ["..", 0o777, 'chmod go-w "'],
  ])("%s with mode %o is refused by setup, undo and doctor, with what mends it", async (name, mode, mend) => {
    await bench.open(0);
    await bench.setUp();
    bench.buildPack([0, 2, 0]);
    const path = bench.path(name);
    chownSync(path, 0, OWNER.gid);
    chmodSync(path, mode);
    const before = treeOf(bench.server);
    const why = `${path}: others than root may write in it (mode ${mode.toString(8)})`;
    for (const run of [() => bench.setUp(), () => bench.undo(), () => bench.setUp({ dryRun: true })]) {
      await expect(run()).rejects.toThrow(why);
      await expect(run()).rejects.toThrow(mend);
    }
    expect(treeOf(bench.server)).toEqual(before);
    const problem = (await bench.doctor()).filter(isProblem).find(({ what }) => what.includes(why));
    expect(problem).toMatchObject({ mend: expect.stringContaining(mend) });
    chmodSync(path, mode & ~0o022);
    expect((await bench.setUp()).end).toBe("done");
  });

  it("are no concern where that is the group of root only", async () => {
    await bench.open(0);
    await bench.setUp();
    bench.buildPack([0, 2, 0]);
    const beside = readdirSync(dirname(bench.config), { recursive: true, encoding: "utf8" });
    for (const path of [
      ...readdirSync(bench.server, { recursive: true, encoding: "utf8" }).map(name => bench.path(name)),
      ...beside.filter(name => !name.endsWith("token")).map(name => join(dirname(bench.config), name)),
      bench.server,
      dirname(bench.config),
    ])
      chmodSync(path, lstatSync(path).mode | 0o020);
    expect((await bench.doctor()).filter(isProblem).map(({ id }) => id)).toEqual([
      "pack-version",
      "pack-listed-version",
    ]);
    expect((await bench.setUp()).end).toBe("done");
    expect((await bench.undo()).end).toBe("done");
  });

  it("are refused with the sticky bit too, where something is missing or another user's", async () => {
    await bench.open(0);
    chmodSync(bench.server, 0o1777);
    await expect(bench.setUp()).rejects.toThrow(
      /others than root may write in it .mode 1777.*: use a folder/,
    );
    chmodSync(bench.server, 0o755);
    chmodSync(bench.path("worlds"), 0o1777);
    expect((await bench.setUp()).end).toBe("done");
  });

  it("are no concern where the folder is a user's own: nothing more than he may do is done", async () => {
    await bench.open();
    for (const name of [".", "worlds", "config"]) chmodSync(bench.path(name), 0o777);
    expect((await bench.setUp()).end).toBe("done");
    for (const name of readdirSync(bench.path("web-bridge-setup"), { recursive: true, encoding: "utf8" }))
      chmodSync(join(bench.path("web-bridge-setup"), name), 0o777);
    expect((await bench.undo()).end).toBe("done");
  });

  it.each([
    ["of a user", (path: string) => chownSync(path, OWNER.uid, OWNER.gid), /belongs to another user/],
    ["that others may write", (path: string) => chmodSync(path, 0o666), /others than root may write it/],
  ])("a journal %s is not believed", async (_what, change, why) => {
    await bench.open(0);
    await bench.setUp();
    const path = bench.path("web-bridge-setup/journal.json");
    change(path);
    const before = treeOf(bench.server);
    await expect(bench.undo()).rejects.toThrow(why);
    expect(treeOf(bench.server)).toEqual(before);
  });
});

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "@jest/globals";
import { isProblem } from "../../owner/doctor/finding.ts";
import { others as bench, freshOthers, IS_ROOT, MODULE, OWNER, TOKEN } from "../helpers/others-server.ts";
import { needs } from "../helpers/runner.ts";
import { treeOf } from "../helpers/server-setup.ts";

freshOthers();

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

/** Puts a link of another user to a secret of root's where the token is expected. */
function plant(folder: string): void {
  writeFileSync(bench.secret, `${TOKEN}\n`, { mode: 0o600 });
  const token = join(folder, "bridge-token");
  rmSync(token, { force: true });
  symlinkSync(bench.secret, token);
  lchownSync(token, OWNER.uid, OWNER.gid);
}

needs("root", IS_ROOT).describe("a storage folder of root's", () => {
  const data = (): string => join(dirname(bench.config), "data");

  it.each([
    ["that everybody may write in", 0o777, 0, /data: others than root may write in it .mode 777/],
    ["that a group may write in", 0o2775, OWNER.gid, /data: others than root may write in it .mode 2775/],
    ["with the sticky bit", 0o1777, 0, /bridge-token: is a link of another user/],
    ["that was mended without what is in it", 0o755, 0, /bridge-token: is a link of another user/],
  ])("%s does not get a secret of root's out to the server's user", async (_what, mode, gid, why) => {
    await bench.open();
    await bench.setUp();
    plant(data());
    chownSync(data(), 0, gid);
    chmodSync(data(), mode);
    await bench.keepsRootsOwn(bench.config, why);
  });

  it("is refused as well where it is named, and where it lies in a folder of a user", async () => {
    await bench.open();
    mkdirSync(dirname(bench.config));
    const store = join(bench.folder, "store");
    mkdirSync(store);
    writeFileSync(bench.config, `storage.folder: "${store}"\n`);
    plant(store);
    chownSync(store, 0, OWNER.gid);
    chmodSync(store, 0o775);
    await bench.keepsRootsOwn(bench.config, /store: others than root may write in it/);
    chownSync(bench.folder, OWNER.uid, OWNER.gid);
    await bench.keepsRootsOwn(bench.config, /store: others than root may write in it/);
    writeFileSync(bench.config, "");
    mkdirSync(data());
    plant(data());
    chmodSync(data(), 0o777);
    await bench.keepsRootsOwn(bench.config, /data: others than root may write in it/);
  });

  it("is not made where others may write", async () => {
    await bench.open();
    mkdirSync(dirname(bench.config));
    const store = join(bench.folder, "store");
    mkdirSync(store);
    chmodSync(store, 0o777);
    writeFileSync(bench.config, `storage.folder: "${store}/new/data"\n`);
    await bench.keepsRootsOwn(bench.config, /store: others than root may write in it/);
    expect(readdirSync(store)).toEqual([]);
  });

  it("has no link of another user to the token of a further game server", async () => {
    await bench.open();
    await bench.setUp();
    await bench.undo();
    writeFileSync(bench.config, "servers: [{name: lobby}]\n");
    writeFileSync(bench.secret, `${TOKEN}\n`, { mode: 0o600 });
    const link = join(data(), "bridge-token-lobby");
    symlinkSync(bench.secret, link);
    lchownSync(link, OWNER.uid, OWNER.gid);
    const why = /bridge-token-lobby: is a link of another user/;
    await expect(bench.setUp({ as: "lobby" })).rejects.toThrow(why);
    const found = await bench.doctor();
    expect(found.filter(isProblem).map(({ what }) => what)).toContainEqual(expect.stringMatching(why));
    expect(JSON.stringify(found)).not.toContain(TOKEN);
    expect((await bench.setUp()).end).toBe("done");
    expect(bench.read(bench.path(`${MODULE}/secrets.json`))).not.toContain(TOKEN);
  });

  it("may have a link of root's to the token, but over no folder of a user", async () => {
    await bench.open();
    await bench.setUp();
    rmSync(join(data(), "bridge-token"));
    writeFileSync(bench.secret, `${TOKEN}\n`, { mode: 0o600 });
    symlinkSync(bench.secret, join(data(), "bridge-token"));
    expect((await bench.setUp()).end).toBe("done");
    expect(bench.read(bench.path(`${MODULE}/secrets.json`))).toContain(TOKEN);
    await bench.undo();
    chownSync(bench.outside, OWNER.uid, OWNER.gid);
    await bench.keepsRootsOwn(bench.config, /bridge-token: leads to .*secret, in a folder of another user/);
  });
});

needs("root", IS_ROOT).it(
  "what the doctor says mends a configuration's folder with all that is in it",
  async () => {
    await bench.open();
    await bench.setUp();
    const folder = dirname(bench.config);
    spawnSync("chmod", ["-R", "777", folder]);
    const [problem, ...more] = (await bench.doctor()).filter(isProblem);
    expect(more).toEqual([]);
    const mend = /^chmod -R go-w "(.+?)"/.exec(problem?.state === "problem" ? problem.mend : "");
    expect(mend?.[1]).toBe(folder);
    spawnSync("chmod", ["-R", "go-w", folder]);
    expect(lstatSync(join(folder, "data")).mode & 0o022).toBe(0);
    await bench.setUp();
  },
);

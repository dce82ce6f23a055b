import { spawnSync } from "node:child_process";
import { chownSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { give, IS_ROOT, OWNER } from "../../test/helpers/folder.ts";
import { needs } from "../../test/helpers/needs.ts";
import { bench, freshBench, treeOf } from "../../test/helpers/server-setup.ts";
import { toolPath } from "../../test/helpers/tools.ts";
import { ownerToRunAs, type Users } from "./run-as-owner.ts";

freshBench();

const ownerOf = (path: string): object => {
  const { uid, gid } = lstatSync(path);
  return { uid, gid };
};

describe("the user that root has to run setup as", () => {
  const users = (server: number, config: number): Users => ({
    isRoot: true,
    ownerOf: path => (path === "/srv/game" ? server : config),
    nameOf: uid => (uid === 1000 ? "steve" : undefined),
    hasSudo: true,
  });
  const named = (found: Users): string | undefined => ownerToRunAs("/srv/game", "/srv/config.yml", found);

  it("is the owner of the server's folder, if the sidecar's configuration is theirs too", () => {
    expect(named(users(1000, 1000))).toBe("steve");
  });

  it.each<[string, Users]>([
    ["this user is not root", { ...users(1000, 1000), isRoot: false }],
    ["the folder is root's own", users(0, 0)],
    ["the configuration belongs to another user, such as that of a service", users(1000, 61_184)],
    ["the owner has no name, as in a container", users(1001, 1001)],
    ["there is no sudo", { ...users(1000, 1000), hasSudo: false }],
  ])("is the current user if %s", (_what, found) => {
    expect(named(found)).toBeUndefined();
  });
});

needs("root", IS_ROOT).describe("setup as root", () => {
  it("is required in a folder of another user, with the command to type, and nothing is changed", () => {
    const bin = join(bench.folder, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "sudo"), "", { mode: 0o755 });
    mkdirSync(dirname(bench.config));
    const [name = "", , uid, gid] = spawnSync("getent", ["passwd", "1"], { encoding: "utf8" }).stdout.split(
      ":",
    );
    for (const folder of [bench.server, dirname(bench.config)])
      give(folder, { uid: Number(uid), gid: Number(gid) });
    const before = treeOf(bench.folder);
    const args = ["--server", bench.server, "--config", bench.config];
    for (const more of ["--yes", "--undo"]) {
      const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
      const run = spawnSync(process.execPath, [toolPath("setup"), ...args, more], { encoding: "utf8", env });
      const command = `sudo -u ${name} npm run setup -- --server "${bench.server}" --config "${bench.config}" ${more}`;
      expect([run.status, run.stderr]).toEqual([
        1,
        `${bench.server}: belongs to ${name}: run setup as that user: ${command}\n`,
      ]);
    }
    expect(treeOf(bench.folder)).toEqual(before);
  });

  it("makes new files owned by the owner of each folder, and keeps the owners of existing ones", async () => {
    give(bench.server);
    chownSync(bench.path("server.properties"), OWNER.uid, 2345);
    const home = dirname(bench.config);
    mkdirSync(home);
    chownSync(home, 1234, 2345);
    const before = treeOf(bench.server);
    await bench.setUp();
    expect(ownerOf(bench.path("server.properties"))).toEqual({ uid: OWNER.uid, gid: 2345 });
    for (const name of readdirSync(bench.server, { recursive: true, encoding: "utf8" }))
      if (name !== "server.properties")
        expect({ name, ...ownerOf(bench.path(name)) }).toEqual({ name, ...OWNER });
    for (const name of readdirSync(home, { recursive: true, encoding: "utf8" }))
      expect({ name, ...ownerOf(join(home, name)) }).toEqual({ name, uid: 1234, gid: 2345 });
    await bench.undo();
    expect(treeOf(bench.server)).toEqual(before);
    expect(ownerOf(bench.path("server.properties"))).toEqual({ uid: OWNER.uid, gid: 2345 });
  });

  it("makes the copy of a world owned by the owner of the server", async () => {
    give(bench.server);
    const backup = { now: () => 0, freeBytes: () => undefined, report: () => undefined };
    const { backup: folder = "" } = await bench.setUp({ backup });
    for (const name of ["..", ".", ...readdirSync(folder, { recursive: true, encoding: "utf8" })])
      expect({ name, ...ownerOf(join(folder, name)) }).toEqual({ name, ...OWNER });
  });

  it("does not trust a journal about another user's configuration", async () => {
    await bench.setUp();
    await bench.setUp({ knownPlayers: "everybody" });
    const config = bench.read(bench.config);
    give(bench.path("web-bridge-setup"));
    await bench.undo();
    expect(bench.read(bench.config)).toBe(config);
    expect(bench.lines).toContain("is left as it is: its copy is in a folder of another");
  });
});

needs("links, not Windows", process.platform !== "win32").describe("a link in the server's folder", () => {
  let outside: string;
  beforeEach(() => {
    outside = join(bench.folder, "outside");
    mkdirSync(outside);
  });

  it.each([
    "server.properties",
    "config",
    "behavior_packs",
    "behavior_packs/web_bridge/manifest.json",
    "worlds",
    "web-bridge-setup",
  ])("out of the folder is followed neither by setup nor by undo: %s", async name => {
    await bench.setUp();
    bench.buildPack([0, 2, 0]);
    spawnSync("mv", [bench.path(name), join(outside, "moved")]);
    symlinkSync(join(outside, "moved"), bench.path(name));
    const before = treeOf(outside);
    for (const run of [() => bench.setUp({ dryRun: true }), () => bench.setUp(), () => bench.undo()])
      await expect(run()).rejects.toThrow(
        `${name}: leads out of ${bench.server}: expected a file or folder in it`,
      );
    expect(treeOf(outside)).toEqual(before);
  });

  it("may stay inside the folder, and the folder itself may be a link", async () => {
    const link = join(bench.folder, "a link");
    symlinkSync(bench.server, link);
    mkdirSync(bench.path("shared"));
    for (const name of ["worlds", "config", "server.properties"]) {
      spawnSync("mv", [bench.path(name), bench.path("shared")]);
      symlinkSync(join(name === "worlds" ? link : bench.server, "shared", name), bench.path(name));
    }
    const before = treeOf(bench.path("shared"));
    expect(await bench.setUp({ server: link })).toMatchObject({ end: "done", server: link });
    expect(lstatSync(bench.path("server.properties")).isSymbolicLink()).toBe(true);
    expect((await bench.setUp()).end).toBe("nothing");
    await bench.undo({ server: link });
    expect(treeOf(bench.path("shared"))).toEqual(before);
    expect(readdirSync(bench.server)).not.toContain("web-bridge-setup");
  });

  it("below a pack is not followed, and one in place of a file of it is rejected", async () => {
    await bench.setUp();
    const pack = bench.path("behavior_packs/web_bridge");
    mkdirSync(bench.path("kept"));
    writeFileSync(bench.path("kept/mine.txt"), "mine");
    for (const name of ["more", "loop"]) symlinkSync(name === "loop" ? "." : "../../kept", join(pack, name));
    bench.buildPack([0, 2, 0]);
    expect((await bench.setUp()).end).toBe("done");
    expect(bench.read(bench.path("kept/mine.txt"))).toBe("mine");
    spawnSync("mv", [join(pack, "scripts"), bench.path("scripts")]);
    symlinkSync("../../scripts", join(pack, "scripts"));
    bench.buildPack([0, 3, 0]);
    await expect(bench.setUp()).rejects.toThrow(/scripts.main.js: is behind a link: .*delete that link/);
  });

  it("in a circle is rejected", async () => {
    rmSync(bench.path("worlds"), { recursive: true });
    symlinkSync("worlds", bench.path("worlds"));
    await expect(bench.setUp()).rejects.toMatchObject({ code: "ELOOP" });
  });
});

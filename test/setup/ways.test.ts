import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, it } from "@jest/globals";
import { inPlace, placeOf } from "../../owner/bds/owner.ts";
import { others as bench, freshOthers, IS_ROOT, OWNER, TOKEN } from "../helpers/others-server.ts";
import { needs } from "../helpers/runner.ts";
import { treeOf } from "../helpers/server-setup.ts";

const OTHER = { uid: 4244, gid: 4245 };

freshOthers();

/** Gives a path to a user; a link itself, not what it leads to. */
const give = (path: string, { uid, gid } = OWNER): void => lchownSync(path, uid, gid);

/** A configuration of root's own with a token in it, which no user may read. */
function rootsConfig(): string {
  const path = join(bench.outside, "config.yml");
  writeFileSync(path, `bridge:\n  token: ${TOKEN}\n`, { mode: 0o600 });
  return path;
}

/** A folder of a user, beside that of the server. */
function home(owner = OWNER): string {
  const folder = join(bench.folder, `home of ${owner.uid}`);
  mkdirSync(folder);
  give(folder, owner);
  return folder;
}

function link(path: string, to: string, owner = OWNER): string {
  symlinkSync(to, path);
  give(path, owner);
  return path;
}

needs("root", IS_ROOT).describe("the sidecar's files of another user, as root", () => {
  it("a link of that user in the place of the token leads doctor and setup nowhere", async () => {
    await bench.open();
    await bench.setUp();
    const folder = dirname(bench.config);
    for (const path of [folder, bench.config, join(folder, "data")]) give(path);
    writeFileSync(bench.secret, `${TOKEN}\n`);
    rmSync(join(folder, "data/bridge-token"));
    link(join(folder, "data/bridge-token"), bench.secret);
    await bench.keepsRootsOwn(bench.config, /EACCES/);
  });

  it("a link of that user in the place of the configuration leads them nowhere", async () => {
    await bench.open();
    const path = link(join(home(), "config.yml"), rootsConfig());
    await bench.keepsRootsOwn(path, /config.yml: leads out of/);
  });

  it("a link of that user on the way to the configuration leads them nowhere", async () => {
    await bench.open();
    rootsConfig();
    const folder = link(join(home(), "sidecar"), bench.outside);
    await bench.keepsRootsOwn(join(folder, "config.yml"), /sidecar: is a link of another user/);
  });

  it("makes no configuration behind a link of another user", async () => {
    await bench.open();
    const folder = link(join(home(), "sidecar"), bench.outside);
    const before = bench.rootsOwn();
    await expect(bench.setUp({ config: join(folder, "config.yml") })).rejects.toThrow(/sidecar: is a link/);
    expect(bench.rootsOwn()).toEqual(before);
  });

  it.each([
    ["root's own folder", () => dirname(bench.config)],
    ["a folder of root's in that of a user", () => join(home(), "sidecar")],
  ])("a storage folder is read with the rights of whoever wrote its name, in %s", async (_name, folderOf) => {
    await bench.open();
    writeFileSync(join(bench.outside, "bridge-token"), `${TOKEN}\n`, { mode: 0o600 });
    const folder = folderOf();
    mkdirSync(folder);
    const config = join(folder, "config.yml");
    writeFileSync(config, `storage.folder: "${bench.outside}"\n`);
    give(config);
    await bench.keepsRootsOwn(config, /EACCES/);
    give(config, { uid: 0, gid: 0 });
    chownSync(config, 0, OWNER.gid);
    chmodSync(config, 0o664);
    await bench.keepsRootsOwn(config, /config.yml: others than root may write it/);
  });

  it("are found over links of that user to folders of his own, and over those of root", async () => {
    await bench.open();
    const folder = join(home(), "real");
    mkdirSync(folder);
    give(folder);
    const ways = [link(join(dirname(folder), "mine"), folder), join(bench.folder, "roots link")];
    symlinkSync(folder, ways[1] ?? "");
    for (const way of ways)
      expect((await bench.setUp({ config: join(way, "config.yml") })).end).toBeDefined();
    const { uid, gid } = lstatSync(join(folder, "config.yml"));
    expect({ uid, gid }).toEqual(OWNER);
    expect(existsSync(join(folder, "data/bridge-token"))).toBe(true);
  });

  it("a file of another user behind a link of root is to be named itself", async () => {
    await bench.open();
    const real = join(home(), "config.yml");
    writeFileSync(real, "");
    give(real);
    mkdirSync(dirname(bench.config));
    symlinkSync(real, bench.config);
    await expect(bench.setUp()).rejects.toThrow(/config.yml: leads to .*home of 4242.*: name that/);
  });
});

needs("root", IS_ROOT).describe("links to a server's folder, as root", () => {
  it("one of a user may lead to a folder of that user only", async () => {
    await bench.open(OWNER.uid);
    const [own, other] = [home(), home(OTHER)];
    const mine = link(join(own, "server"), bench.server);
    expect((await bench.setUp({ server: mine })).end).toBe("done");
    await bench.undo({ server: mine });
    const wrong = link(join(other, "server"), bench.server, OTHER);
    const before = treeOf(bench.server);
    for (const run of [() => bench.setUp({ server: wrong }), () => bench.undo({ server: wrong })])
      await expect(run()).rejects.toThrow(/server: is a link of another user.*: name .*my server itself/);
    expect(treeOf(bench.server)).toEqual(before);
  });
});

const WORLD = "worlds/Ülis schöne Welt 世界";

needs("root", IS_ROOT).describe("a part of root's server that another user owns", () => {
  beforeEach(async () => {
    await bench.open(0);
    for (const path of [".", ...readdirSync(bench.path("worlds"), { recursive: true, encoding: "utf8" })])
      give(join(bench.path("worlds"), path));
  });

  /** A pack of ours of an older version in the world, as its owner may put one there. */
  function plant(): string {
    const pack = bench.path(`${WORLD}/behavior_packs/planted`);
    mkdirSync(pack, { recursive: true });
    const manifest = JSON.parse(bench.read(join(bench.packs.behavior, "manifest.json")));
    writeFileSync(join(pack, "manifest.json"), JSON.stringify(manifest));
    for (const path of [dirname(pack), pack, join(pack, "manifest.json")]) give(path);
    bench.buildPack([0, 2, 0]);
    return pack;
  }

  it("has no files of root's deleted by folders that are linked in a pack", async () => {
    link(join(plant(), "more"), "../../../../definitions");
    mkdirSync(bench.path("definitions"));
    writeFileSync(bench.path("definitions/important.json"), "{}");
    await bench.setUp().catch(() => {});
    expect(bench.read(bench.path("definitions/important.json"))).toBe("{}");
  });

  it("has no files of root's overwritten by links in the place of a pack's", async () => {
    const pack = plant();
    writeFileSync(bench.path("important.js"), "important");
    mkdirSync(join(pack, "scripts"));
    give(join(pack, "scripts"));
    link(join(pack, "scripts/main.js"), "../../../../../important.js");
    await expect(bench.setUp()).rejects.toThrow(/main.js: is a link of another user/);
    expect(bench.read(bench.path("important.js"))).toBe("important");
  });

  it("has nothing of root's written by a link in the place of the world's list", async () => {
    const path = bench.path(`${WORLD}/world_behavior_packs.json`);
    rmSync(path, { force: true });
    writeFileSync(bench.path("important.json"), "[]");
    link(path, "../../important.json");
    await expect(bench.setUp()).rejects.toThrow(/world_behavior_packs.json: is a link of another user/);
    expect(bench.read(bench.path("important.json"))).toBe("[]");
  });

  it("is worked in as that user", async () => {
    await bench.setUp();
    const { uid, gid } = lstatSync(bench.path(`${WORLD}/world_behavior_packs.json`));
    expect({ uid, gid }).toEqual(OWNER);
    expect(lstatSync(bench.path("server.properties")).uid).toBe(0);
  });
});

needs("links, not Windows", process.platform !== "win32").describe("links below a pack", () => {
  it("are not followed: what they lead to stays, and one in the place of a file is refused", async () => {
    await bench.make();
    await bench.setUp();
    const pack = bench.path("behavior_packs/web_bridge");
    mkdirSync(bench.path("kept"));
    writeFileSync(bench.path("kept/mine.txt"), "mine");
    symlinkSync("../../kept", join(pack, "more"));
    bench.buildPack([0, 2, 0]);
    expect((await bench.setUp()).end).toBe("done");
    expect(bench.read(bench.path("kept/mine.txt"))).toBe("mine");
    renameSync(join(pack, "scripts"), bench.path("scripts"));
    symlinkSync("../../scripts", join(pack, "scripts"));
    bench.buildPack([0, 3, 0]);
    await expect(bench.setUp()).rejects.toThrow(/scripts.main.js: is behind a link: .*delete that link/);
  });
});

needs("root", IS_ROOT).describe("acting in a place", () => {
  it("ends when the folder to come back to was replaced meanwhile", () => {
    const back = process.cwd();
    const folder = join(bench.folder, "back");
    mkdirSync(folder);
    process.chdir(folder);
    try {
      const away = (): void => {
        renameSync(folder, `${folder}.aside`);
        mkdirSync(folder);
      };
      expect(() => inPlace(placeOf(bench.folder), { uid: 0, gid: 0 }, away)).toThrow(
        /back: was replaced by another folder/,
      );
    } finally {
      process.chdir(back);
    }
  });

  it("does not begin where a link was put on the way meanwhile", () => {
    const [a, b] = [join(bench.folder, "a"), join(bench.folder, "b")];
    mkdirSync(join(a, "in"), { recursive: true });
    const place = placeOf(join(a, "in"));
    renameSync(a, b);
    symlinkSync(b, a);
    expect(() => inPlace(place, OWNER, () => {})).toThrow(/in: was replaced by another folder/);
  });
});

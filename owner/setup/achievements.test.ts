import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { levelDat } from "../../scripts/make-server.mjs";
import { bench, freshBench, SCRIPT, serversOwn, type Tree, treeOf } from "../../test/helpers/server-setup.ts";
import { COPY_CONFIG } from "./copy.ts";

freshBench();

const PACK = "behavior_packs/web_bridge";
const keep = { keepAchievements: true };
const all = { keepAchievements: false };

const script = (): string => bench.read(bench.path(`${PACK}/scripts/main.js`));
const level = (): Buffer => readFileSync(bench.world("level.dat"));
const own = (): Tree => serversOwn(treeOf(bench.server));
/** Names of the files and folders that differ. */
const differing = (one: Tree, other: Tree): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(name => one[name] !== other[name]).sort();

describe("setup of the pack that keeps achievements", () => {
  it("changes the pack, its entry in the world and one property, and undo restores them byte for byte", async () => {
    const [before, untouched] = [treeOf(bench.server), own()];
    expect(await bench.setUp(keep)).toMatchObject({ end: "done", keepsAchievements: true });
    expect(script()).toBe("// stable 0.1.0\n");
    expect(differing(untouched, own())).toEqual([
      PACK,
      `${PACK}/manifest.json`,
      `${PACK}/scripts`,
      `${PACK}/scripts/main.js`,
      "server.properties",
      `worlds/${bench.levelName}/world_behavior_packs.json`,
    ]);
    expect(bench.lines).toContain("Web Bridge: not installed -> 0.1.0, keeps achievements (2 files)");
    expect(bench.lines).toContain("content-log-console-output-enabled: false -> true");
    expect(bench.lines).not.toContain("Beta APIs");
    expect(existsSync(bench.path("web-bridge-setup/level.dat.before-web-bridge"))).toBe(false);
    expect(existsSync(join(dirname(bench.config), "data/bridge-token"))).toBe(true);
    expect((await bench.setUp(keep)).end).toBe("nothing");
    await bench.undo();
    expect(treeOf(bench.server)).toEqual(before);
  });

  it("replaces the pack with all features, and that one replaces it, and undo then restores the beginning", async () => {
    const before = treeOf(bench.server);
    for (const options of [keep, all, keep, all, keep]) await bench.setUp(options);
    expect(bench.lines).toContain("Web Bridge: 0.1.0, all features -> 0.1.0, keeps achievements (2 files)");
    await bench.undo();
    expect(treeOf(bench.server)).toEqual(before);
  });

  it("leaves everything as a plain setup makes it after --all-features", async () => {
    await bench.setUp();
    const plain = own();
    await bench.undo();
    await bench.setUp(keep);
    await bench.setUp(all);
    expect(bench.lines).toContain("Web Bridge: 0.1.0, keeps achievements -> 0.1.0, all features (2 files)");
    expect(bench.lines).toContain("Beta APIs experiment: off -> on");
    expect(own()).toEqual(plain);
  });

  it("leaves the level.dat and the script's settings as they are when it replaces the other pack", async () => {
    await bench.setUp();
    const [now, before] = [level(), own()];
    await bench.setUp(keep);
    expect(level()).toEqual(now);
    expect(differing(before, own()).filter(name => name.startsWith(SCRIPT))).toEqual([]);
  });

  it("stays of its kind in later runs, and so does the other pack", async () => {
    await bench.setUp(keep);
    bench.buildPack([0, 2, 0]);
    await bench.setUp();
    expect(script()).toBe("// stable 0.2.0\n");
    await bench.setUp(all);
    bench.buildPack([0, 3, 0]);
    await bench.setUp();
    expect(script()).toBe("// version 0.3.0\n");
  });

  it("stays of its kind when its files are lost", async () => {
    await bench.setUp(keep);
    rmSync(bench.path(PACK), { recursive: true });
    await bench.setUp();
    expect(script()).toBe("// stable 0.1.0\n");
  });

  it("does not take the versions of the other pack's modules for the owner's choice", async () => {
    await bench.setUp({ moduleVersions: "1.0.0-beta" });
    await bench.setUp(keep);
    const built = bench.read(join(bench.packs.stable, "manifest.json"));
    expect(bench.read(bench.path(`${PACK}/manifest.json`))).toBe(built);
    const refused = bench.setUp({ moduleVersions: "1.0.0-beta" });
    await expect(refused).rejects.toThrow(/^--module-versions: is for the pack with all features/);
  });

  it("works with the chest form, and with the name of a further game server", async () => {
    bench.buildResourcePack();
    const outcome = await bench.setUp({ ...keep, chestForm: true, as: "lobby" });
    expect(outcome).toMatchObject({ end: "done", place: { as: "lobby" } });
    expect(existsSync(bench.path("resource_packs/web_bridge/manifest.json"))).toBe(true);
    expect(existsSync(join(dirname(bench.config), "data/bridge-token-lobby"))).toBe(true);
    expect(existsSync(bench.script("permissions.json"))).toBe(false);
  });
});

describe("the choice of the pack", () => {
  it("is a question once, at the first setup, and all features is the usual answer", async () => {
    await bench.setUp({ dryRun: true });
    expect(bench.achievementsQuestions).toEqual([]);
    await bench.setUp();
    bench.buildPack([0, 2, 0]);
    await bench.setUp();
    expect(bench.achievementsQuestions).toEqual([{ usual: false, hasUsedExperiments: false }]);
    expect(script()).toBe("// version 0.2.0\n");
  });

  it("is not asked for with an option, and decides what is changed", async () => {
    await bench.setUp(all);
    await bench.undo();
    expect(bench.achievementsQuestions).toEqual([]);
    bench.keepAchievements = true;
    await bench.setUp();
    expect([script(), bench.lines.includes("Beta APIs")]).toEqual(["// stable 0.1.0\n", false]);
  });

  it("is by default what is installed, if setup has not installed it", async () => {
    cpSync(bench.packs.stable, bench.path(PACK), { recursive: true });
    await bench.setUp();
    expect(bench.achievementsQuestions).toEqual([{ usual: true, hasUsedExperiments: false }]);
    expect(script()).toBe("// stable 0.1.0\n");
  });
});

describe("the notes of setup about achievements", () => {
  const GONE = /^an experiment has been on in worlds\/.+: its achievements are gone already, whichever/;

  it("say, as the question does, that an experiment was on", async () => {
    writeFileSync(bench.world("level.dat"), await levelDat("on"));
    bench.keepAchievements = true;
    await bench.setUp();
    expect(bench.achievementsQuestions).toEqual([{ usual: false, hasUsedExperiments: true }]);
    expect(bench.plan.notes).toEqual([expect.stringMatching(GONE)]);
  });

  it("say that undo saves them until the game has saved the world", async () => {
    await bench.setUp();
    await bench.setUp(keep);
    expect(bench.plan.notes).toEqual([
      expect.stringContaining("To keep achievements, do not start it: run setup with --undo"),
    ]);
    writeFileSync(bench.world("level.dat"), await levelDat("on", { currentTick: 5n }));
    await bench.setUp(all);
    await bench.setUp(keep);
    expect(bench.plan.notes).toEqual([expect.stringMatching(GONE)]);
  });

  it("say that a container image starts the game server without launch", async () => {
    renameSync(bench.path("bedrock_server"), bench.path("bedrock_server-1.26.60.6"));
    await bench.setUp(keep);
    expect(bench.plan.notes).toEqual([
      expect.stringContaining("a container image, which starts the game server"),
    ]);
  });

  it("warn of cheats, which stay as they are", async () => {
    appendFileSync(bench.path("server.properties"), "\r\nallow-cheats=true\r\n");
    await bench.setUp(keep);
    expect(bench.plan.notes).toEqual([
      "allow-cheats is true in server.properties: cheats turn off achievements too",
    ]);
    expect(bench.read(bench.path("server.properties"))).toContain("\r\nallow-cheats=true\r\n");
  });
});

describe("a copy with the pack that keeps achievements", () => {
  const inCopy = (name: string): string => join(bench.folder, "copy", name);
  const options = () => ({ server: inCopy(""), config: inCopy(COPY_CONFIG), isCopy: true });

  it("needs the configuration of its sidecar, as the host has it", async () => {
    mkdirSync(inCopy(""));
    for (const name of ["server.properties", `worlds/${bench.levelName}/level.dat`])
      cpSync(bench.path(name), inCopy(name), { recursive: true });
    const { transfer } = await bench.setUp({ ...options(), ...keep });
    expect(transfer?.upload).toEqual(expect.arrayContaining([`${PACK}/`, "server.properties", COPY_CONFIG]));
    expect(transfer?.upload.join()).not.toMatch(/level\.dat|config\/d09dd5f3/);
    rmSync(inCopy(COPY_CONFIG));
    const refused = bench.setUp(options());
    await expect(refused).rejects.toThrow("the add-on is installed, and web-bridge/config.yml is missing");
  });
});

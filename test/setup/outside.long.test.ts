import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { systemFiles } from "../../owner/bds/system.ts";
import { examine } from "../../owner/doctor/examine.ts";
import { type Finding, isProblem } from "../../owner/doctor/finding.ts";
import { systemSurroundings } from "../../owner/doctor/system.ts";
import { others as bench, freshOthers, IS_ROOT, MODULE, OWNER } from "../helpers/others-server.ts";
import { needs } from "../helpers/runner.ts";
import { treeOf } from "../helpers/server-setup.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const IS_WINDOWS = process.platform === "win32";

freshOthers();

function doctor(files = systemFiles): Promise<Finding[]> {
  const { packs, server, config } = bench;
  const nobody = () => Promise.reject(new TypeError("nobody"));
  const around = { ...systemSurroundings(ROOT), files, packs, env: {}, fetch: nobody };
  // Whatever this machine has at the ports of every sidecar.
  return examine({ server, config }, { ...around, holderOf: () => Promise.resolve(undefined) });
}

const WORLD = "worlds/Ülis schöne Welt 世界";
const USERS: [string, number][] = [
  ["the folder of another user", OWNER.uid],
  ["a folder of root's", 0],
];

needs("root", IS_ROOT).all(() =>
  describe.each(USERS)("as root in %s", (_name, uid) => {
    it.each([
      "server.properties",
      "config",
      MODULE,
      `${MODULE}/secrets.json`,
      "behavior_packs",
      "behavior_packs/web_bridge",
      "behavior_packs/web_bridge/manifest.json",
      "worlds",
      WORLD,
      `${WORLD}/level.dat`,
      `${WORLD}/world_behavior_packs.json`,
      "web-bridge-setup",
    ])("neither setup nor undo nor doctor follows %s out of it", async name => {
      await bench.open(uid);
      await bench.setUp();
      bench.leadOut(name);
      bench.buildPack([0, 2, 0]);
      const before = bench.rootsOwn();
      const why = new RegExp(`${name}: leads out of .*my server: expected a file or folder in it`);
      for (const run of [() => bench.setUp({ dryRun: true }), () => bench.setUp(), () => bench.undo()])
        await expect(run()).rejects.toThrow(why);
      expect(bench.rootsOwn()).toEqual(before);
      if (name === "web-bridge-setup") return;
      const found = (await doctor()).filter(isProblem).find(({ what }) => why.test(what));
      expect(found).toMatchObject({ mend: "put what is expected in its place" });
    });

    it("undo removes nothing from a folder outside that stands for what is kept", async () => {
      await bench.open(uid);
      await bench.setUp();
      bench.leadOut("web-bridge-setup/kept");
      const before = bench.rootsOwn();
      await expect(bench.undo()).rejects.toThrow(/kept: leads out of/);
      expect(bench.rootsOwn()).toEqual(before);
    });
  }),
);

needs("root", IS_ROOT).describe("doctor as root in the folder of another user", () => {
  it("reads as that user", async () => {
    await bench.open();
    await bench.setUp();
    chmodSync(bench.folder, 0o700);
    const seen = new Map<string, number | undefined>();
    const read = (path: string): Uint8Array | undefined => {
      seen.set(path, process.geteuid?.());
      return systemFiles.read(path);
    };
    const found = (await doctor({ ...systemFiles, read })).filter(isProblem).map(({ id }) => id);
    expect(found).toEqual(["sidecar-running"]);
    expect(seen.get("server.properties")).toBe(OWNER.uid);
    expect(seen.get(join(MODULE, "secrets.json"))).toBe(OWNER.uid);
    expect(seen.get(bench.config)).toBe(0);
  });

  it("looks into the folders of other servers, too", async () => {
    await bench.open();
    await bench.setUp();
    const other = join(bench.folder, "a copy");
    cpSync(bench.server, other, { recursive: true });
    for (const path of [".", ...readdirSync(other, { recursive: true, encoding: "utf8" })])
      chownSync(join(other, path), OWNER.uid, OWNER.gid);
    await bench.setUp({ server: other });
    const found = (await doctor()).filter(({ id }) => id === "other-server");
    expect(found).toEqual([
      expect.objectContaining({ what: expect.stringContaining(`${other} with the world Ülis`) }),
    ]);
  });
});

needs("links, not Windows", !IS_WINDOWS).describe("links and what is no file", () => {
  it("lets links lead about in the server's folder, and the folder be one itself", async () => {
    await bench.make();
    const link = join(bench.folder, "a link");
    symlinkSync(bench.server, link);
    mkdirSync(bench.path("shared"));
    renameSync(bench.path("worlds"), bench.path("shared/worlds"));
    symlinkSync(join(link, "shared/worlds"), bench.path("worlds"));
    renameSync(bench.path("config"), bench.path("shared/config"));
    symlinkSync("shared/config", bench.path("config"));
    const before = treeOf(bench.path("shared"));
    const outcome = await bench.setUp({ server: link });
    expect(outcome).toMatchObject({ end: "done", server: link });
    for (const whole of [link, bench.server])
      expect(bench.read(bench.path("web-bridge-setup/journal.json"))).not.toContain(whole);
    expect(bench.read(bench.path(`shared/${MODULE}/variables.json`))).toContain("8081");
    await bench.undo({ server: link });
    expect(treeOf(bench.path("shared"))).toEqual(before);
    expect(readdirSync(bench.server)).not.toContain("web-bridge-setup");
  });

  it("refuses links that lead out for every user, and those in a circle", async () => {
    await bench.make();
    renameSync(bench.path("worlds"), join(bench.folder, "other disk"));
    symlinkSync("../other disk", bench.path("worlds"));
    await expect(bench.setUp()).rejects.toThrow(/worlds: leads out of/);
    rmSync(bench.path("worlds"));
    symlinkSync("worlds", bench.path("worlds"));
    await expect(bench.setUp()).rejects.toMatchObject({ code: "ELOOP" });
  });

  it("looks at a pack once, however many links in it lead back", async () => {
    await bench.make();
    await bench.setUp();
    for (const name of ["a", "b", "c"]) symlinkSync(".", bench.path(`behavior_packs/web_bridge/${name}`));
    expect((await bench.setUp()).end).toBe("nothing");
  });

  it.each([
    ["a pipe", (path: string) => spawnSync("mkfifo", [path]), /is a pipe or a device, expected a file/],
    [
      "a file of a gigabyte",
      (path: string) => {
        writeFileSync(path, "");
        truncateSync(path, 2 ** 30);
      },
      /is larger than [12] MiB/,
    ],
  ])("does not wait for %s", async (_name, make, why) => {
    await bench.make();
    await bench.setUp();
    for (const name of [`${MODULE}/secrets.json`, "web-bridge-setup/journal.json", "server.properties"]) {
      const path = bench.path(name);
      renameSync(path, join(bench.folder, "aside"));
      make(path);
      bench.buildPack([0, 2, 0]);
      await expect(name.includes("journal") ? bench.undo() : bench.setUp()).rejects.toThrow(why);
      expect((await doctor()).length).toBeGreaterThan(1);
      rmSync(path);
      renameSync(join(bench.folder, "aside"), path);
    }
    expect((await bench.undo()).end).toBe("done");
  });

  it("does not wait for a pipe in the place of what is noted of servers", async () => {
    await bench.make();
    await bench.setUp();
    const noted = join(bench.folder, "sidecar/data/server.json");
    rmSync(noted);
    spawnSync("mkfifo", [noted]);
    expect((await bench.setUp()).end).toBe("nothing");
    expect((await doctor()).length).toBeGreaterThan(1);
  });
});

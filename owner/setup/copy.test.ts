import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { systemProcesses } from "../../bds/system.ts";
import { bench, freshBench, SCRIPT, treeOf } from "../../test/helpers/server-setup.ts";
import { COPY_CONFIG } from "./copy.ts";
import { systemDisk } from "./disk.ts";
import type { Options, Outcome } from "./options.ts";
import { inWords } from "./output.ts";

freshBench();

const LIST = "world_behavior_packs.json";
const inCopy = (name: string): string => join(bench.folder, "copy", name);
const world = (name: string): string => `worlds/${bench.levelName}/${name}`;

function download(...names: string[]): void {
  for (const name of names) cpSync(bench.path(name), inCopy(name), { recursive: true });
}

beforeEach(() => {
  mkdirSync(inCopy(""));
  download("server.properties", world("level.dat"), world(LIST));
});

const options = (more: Partial<Options> = {}): Partial<Options> => ({
  server: inCopy(""),
  config: inCopy(COPY_CONFIG),
  isCopy: true,
  ...more,
});
const setUp = (more: Partial<Options> = {}): Promise<Outcome> => bench.setUp(options(more));
const undo = (): Promise<Outcome> => bench.undo(options());

/** Why setup stops; fails if it has changed anything. */
async function refusal(act: () => Promise<Outcome> = setUp): Promise<string> {
  const before = treeOf(inCopy(""));
  const why = await act().then(
    ({ end }) => `it was ${end}`,
    (error: unknown) => inWords(error),
  );
  expect(treeOf(inCopy(""))).toEqual(before);
  return why;
}

const FIRST_UPLOAD = [
  "behavior_packs/web_bridge/",
  `${SCRIPT}/`,
  "server.properties",
  "web-bridge-setup/",
  COPY_CONFIG,
  "web-bridge/data/bridge-token",
];

describe("setup of a copy", () => {
  it("stops if the sidecar's data is outside the copy, where its token would stay", async () => {
    const storage = join(bench.folder, "elsewhere");
    mkdirSync(dirname(inCopy(COPY_CONFIG)));
    writeFileSync(inCopy(COPY_CONFIG), JSON.stringify({ storage: { folder: storage } }));
    expect(await refusal()).toContain(`storage.folder: ${storage}: is not in ${inCopy("")}`);
    expect(existsSync(storage)).toBe(false);
  });

  it("needs no program of the game, and names what to upload", async () => {
    const { end, transfer } = await setUp();
    expect(end).toBe("done");
    expect(transfer?.upload.sort()).toEqual([...FIRST_UPLOAD, world("level.dat"), world(LIST)].sort());
    expect(transfer?.delete).toEqual([]);
    const again = await setUp();
    expect([again.end, again.transfer]).toEqual(["nothing", undefined]);
  });

  it("names only the files that an update changes, and those that it removes", async () => {
    bench.buildPack([0, 1, 0], { "scripts/old.js": "" });
    await setUp();
    bench.buildPack([0, 2, 0]);
    const { transfer } = await setUp();
    expect(transfer).toEqual({
      upload: [
        "behavior_packs/web_bridge/scripts/main.js",
        "behavior_packs/web_bridge/manifest.json",
        world(LIST),
        "web-bridge-setup/journal.json",
      ],
      delete: ["behavior_packs/web_bridge/scripts/old.js"],
    });
  });

  it("names no folder that has other files on the host, although it is missing here", async () => {
    expect(existsSync(inCopy("config"))).toBe(false);
    const { transfer } = await setUp();
    expect(existsSync(inCopy("config"))).toBe(true);
    const undone = await undo();
    expect(existsSync(inCopy("config"))).toBe(false);
    expect(undone.transfer?.delete.sort()).toEqual([
      "behavior_packs/web_bridge/",
      `${SCRIPT}/`,
      "web-bridge-setup/",
    ]);
    for (const each of ["config/", "behavior_packs/"])
      expect([...(transfer?.upload ?? []), ...(undone.transfer?.delete ?? [])]).not.toContain(each);
  });

  it("is undone to the downloaded files, and names them", async () => {
    const before = treeOf(inCopy(""));
    await setUp();
    const { transfer } = await undo();
    expect(transfer?.upload.sort()).toEqual([
      "server.properties",
      COPY_CONFIG,
      world("level.dat"),
      world(LIST),
    ]);
    rmSync(inCopy("web-bridge"), { recursive: true });
    expect(treeOf(inCopy(""))).toEqual(before);
  });

  it("is undone although the sidecar's files are gone", async () => {
    await setUp();
    rmSync(inCopy("web-bridge"), { recursive: true });
    expect((await undo()).end).toBe("done");
  });

  it("leaves out what is about this machine: running servers, ports that are in use, and registering the folder", async () => {
    bench.processes = {
      ...systemProcesses,
      pids: () => [4711],
      linkOf: (_pid, what) => (what === "cwd" ? inCopy("") : inCopy("bedrock_server")),
    };
    bench.taken = [8080, 8081];
    expect((await setUp()).url).toBe("http://127.0.0.1:8081");
    expect(existsSync(inCopy("web-bridge/data/server.json"))).toBe(false);
    expect((await setUp({ as: "lobby" })).transfer?.upload).toContain("web-bridge/data/bridge-token-lobby");
    expect(bench.lines).not.toContain("setup has not been run for");
    expect((await undo()).end).toBe("done");
  });

  it("says that the server has to be stopped, and which files the host may still have", async () => {
    rmSync(inCopy(world(LIST)));
    await setUp();
    expect(bench.lines).toContain(
      "note: stop the server on the host before the download, and start it after the upload",
    );
    expect(bench.lines).toContain(
      `note: not in this folder: ${SCRIPT}/, ${world(LIST)}, web-bridge-setup/, ${COPY_CONFIG}, web-bridge/data/bridge-token: if the host has any of these, download them first`,
    );
    expect(bench.lines).toContain(`back up worlds/${bench.levelName} first: on the host`);
    rmSync(inCopy("behavior_packs"), { recursive: true });
    await undo();
    expect(bench.lines).toContain(
      "note: not in this folder: behavior_packs/web_bridge/: if the host has any",
    );
  });
});

describe("setup of a copy rejects", () => {
  it.each(["nothing", "an empty file"])(
    "%s in place of server.properties, and lists what to download",
    async what => {
      rmSync(inCopy("server.properties"));
      if (what === "an empty file") writeFileSync(inCopy("server.properties"), "");
      rmSync(inCopy("worlds"), { recursive: true });
      expect((await refusal()).split("\n")).toEqual([
        `${inCopy("").replace(/[\\/]$/, "")}: server.properties is missing or empty.`,
        "Stop the server on the host, and download these from its folder into this one, to the same places:",
        "  server.properties",
        "  worlds/<level-name>/level.dat",
        "and these, if the host has them:",
        "  worlds/<level-name>/world_behavior_packs.json",
        "  worlds/<level-name>/world_resource_packs.json",
        `  ${SCRIPT}/`,
        "  behavior_packs/web_bridge/",
        "  resource_packs/web_bridge/",
        "  web-bridge-setup/",
        "  web-bridge/config.yml",
        "  web-bridge/data/bridge-token",
        "<level-name> is the value of level-name in server.properties.",
      ]);
    },
  );

  it("a world without level.dat, and lists only what is not there", async () => {
    rmSync(inCopy(world("level.dat")));
    download("config/default");
    mkdirSync(inCopy("web-bridge-setup"));
    const why = await refusal();
    expect(why).toContain(
      `level-name in server.properties is "${bench.levelName}", and ${world("level.dat")} is missing`,
    );
    expect(why).toContain(`places:\n  ${world("level.dat")}\nand these`);
    expect(why).toContain(`\n  ${world("world_resource_packs.json")}\n`);
    expect(why).not.toContain(LIST);
    expect(why).not.toContain("web-bridge-setup");
  });

  it("a world whose name is in another case, also where the system ignores case", async () => {
    const other = bench.levelName.toUpperCase();
    renameSync(inCopy(`worlds/${bench.levelName}`), inCopy(`worlds/${other}`));
    const ignoresCase = (path: string): string =>
      path.replace(`worlds/${bench.levelName}`, `worlds/${other}`);
    for (const ignoring of [false, true]) {
      if (ignoring) bench.disk = { ...systemDisk, kindOf: path => systemDisk.kindOf(ignoresCase(path)) };
      const why = await refusal();
      expect(why).toContain(`${world("level.dat")} is missing`);
      expect(why).toContain(
        `This folder has worlds/${other}: if you play that world, set level-name to its name in server.properties on the host, and download that file again.`,
      );
    }
  });

  it("a level.dat and lists of which only a part was downloaded", async () => {
    const level = readFileSync(inCopy(world("level.dat")));
    for (const bytes of [0, 100, level.length - 1]) {
      writeFileSync(inCopy(world("level.dat")), level.subarray(0, bytes));
      expect(await refusal()).toMatch(/level\.dat: .+: download it again/);
    }
    writeFileSync(inCopy(world("level.dat")), level);
    for (const name of [world(LIST), `${SCRIPT}/permissions.json`]) {
      mkdirSync(dirname(inCopy(name)), { recursive: true });
      writeFileSync(inCopy(name), '{ "a": [');
      expect(await refusal()).toMatch(/json: invalid JSON at line 1, .+: download it again, or fix it/);
      rmSync(inCopy(name));
    }
  });

  it("an add-on with a token, without the sidecar's configuration", async () => {
    await setUp();
    rmSync(inCopy("web-bridge"), { recursive: true });
    expect(await refusal()).toMatch(
      /If the sidecar does not run on the host, add --config .+secrets\.json to start over\.$/,
    );
    expect(await refusal()).toContain("places:\n  web-bridge/config.yml\n  web-bridge/data/bridge-token\n");
  });

  it("undo without the folder that it needs", async () => {
    await setUp();
    rmSync(inCopy("web-bridge-setup"), { recursive: true });
    expect(await refusal(undo)).toMatch(
      /: web-bridge-setup\/ is missing: download it from the server's folder/,
    );
  });
});

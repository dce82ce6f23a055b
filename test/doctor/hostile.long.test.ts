import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Files } from "../../owner/bds/files.ts";
import { systemFiles, systemSigns } from "../../owner/bds/system.ts";
import { examine } from "../../owner/doctor/examine.ts";
import { isProblem } from "../../owner/doctor/finding.ts";
import { systemSurroundings } from "../../owner/doctor/system.ts";
import { systemDisk } from "../../owner/setup/disk.ts";
import { inWords } from "../../owner/setup/show.ts";
import { Bench } from "../helpers/server-setup.ts";

/** What somebody who may write into a server's folder can put there for whoever runs doctor and setup over it. */
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MODULE = "config/d09dd5f3-f8bd-4efc-8114-e391c22053b3";
const MEBIBYTE = 1024 * 1024;
/** Most that one run of doctor reads, and looks at; one of setup looks at a folder up to four times. */
const MOST = { bytes: 13 * MEBIBYTE, looks: 25_000 };

let bench: Bench;
let [bytes, looks] = [0, 0];
/** The real files, of which it is counted what they are asked for. */
const counted: Files = {
  kindOf: path => {
    looks++;
    return systemFiles.kindOf(path);
  },
  read: (path, most) => {
    const found = systemFiles.read(path, most);
    looks++;
    bytes += found?.length ?? 0;
    return found;
  },
  list: (path, most) => {
    looks++;
    return systemFiles.list(path, most);
  },
};
beforeEach(async () => {
  bench = await new Bench().make();
  bench.signs = { ...systemSigns, pids: () => [], locks: () => [] };
  await bench.setUp();
  bench.disk = { ...systemDisk, ...counted };
});

/** What the doctor calls a problem, or notes; fails when it has looked at too much. */
async function told(): Promise<string[]> {
  [bytes, looks] = [0, 0];
  const { server, config, packs, signs } = bench;
  const around = { ...systemSurroundings(ROOT), files: counted, signs, packs, env: {} };
  const found = await examine(
    { server, config },
    {
      ...around,
      fetch: () => Promise.reject(new TypeError("nobody")),
      holderOf: async () => undefined,
      offline: async () => undefined,
    },
  );
  expect(bytes).toBeLessThan(MOST.bytes);
  expect(looks).toBeLessThan(MOST.looks);
  return found
    .filter(each => isProblem(each) || /^pack-/.test(each.id))
    .filter(({ id, state }) => /^(problem|note)$/.test(state) && id !== "sidecar-running")
    .map(({ what }) => what);
}

/** How setup ends, or why it refuses; fails when it has looked at too much, or has changed anything all the same. */
async function outcome(run: "setUp" | "undo" = "setUp"): Promise<string> {
  [bytes, looks] = [0, 0];
  const ended = await bench[run]({ dryRun: true }).then(
    ({ end }) => end,
    (error: unknown) => inWords(error),
  );
  expect(bytes).toBeLessThan(4 * MOST.bytes);
  expect(looks).toBeLessThan(4 * MOST.looks);
  return ended;
}

/** A file that has a size, and nothing in it. */
function sparse(path: string, size: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
  truncateSync(path, size);
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const JSONS = [
  ...["permissions", "variables", "secrets"].map(name => `${MODULE}/${name}.json`),
  "worlds/Ülis schöne Welt 世界/world_behavior_packs.json",
  "behavior_packs/web_bridge/manifest.json",
];

describe("doctor and setup", () => {
  it("pass over 300 packs with manifests of 60 MB, and the doctor names one", async () => {
    rmSync(bench.path("behavior_packs/broken"), { recursive: true });
    for (let pack = 0; pack < 300; pack++)
      sparse(bench.path(`behavior_packs/p${pack}/manifest.json`), 60 * MEBIBYTE);
    expect(await told()).toContainEqual(
      expect.stringMatching(
        /p0\/manifest\.json: it is larger than 1 MiB: that pack is passed over, and so are 299 more$/,
      ),
    );
    expect(await outcome()).toBe("nothing");
  });

  it("stop at manifests that are of a good size each, and too much together", async () => {
    for (let pack = 0; pack < 40; pack++)
      put(bench.path(`behavior_packs/p${pack}/manifest.json`), `{"a":"${"x".repeat(MEBIBYTE - 10)}"}`);
    const why = /p\d+\/manifest\.json: with it, more than 8 MiB are to be read/;
    expect(await told()).toContainEqual(expect.stringMatching(why));
    expect(await outcome()).toMatch(why);
  });

  it("stop at a folder of more packs than anybody has", async () => {
    const names = Array.from({ length: 5001 }, (_, at) => String(at).padEnd(255, "x"));
    for (const name of names) mkdirSync(bench.path(`behavior_packs/${name}`));
    const why = /behavior_packs: holds more than 5000 files and folders/;
    expect(await told()).toContainEqual(expect.stringMatching(why));
    expect(await outcome()).toMatch(why);
  });

  it.each(JSONS)("name %s with half a million lists in each other, and with 60 MB", async name => {
    const isPack = name.endsWith("manifest.json");
    for (const text of ["[".repeat(500_000), '{"a":'.repeat(200_000), "[},".repeat(300_000)]) {
      writeFileSync(bench.path(name), text);
      const why = /json: it is nested deeper than 100/;
      expect(await told()).toContainEqual(expect.stringMatching(why));
      expect(await outcome()).toMatch(
        isPack ? /manifest.json is wrong \(it is nested deeper than 100\)/ : why,
      );
    }
    for (const big of ["[".repeat(3_000_000), undefined]) {
      if (big === undefined) sparse(bench.path(name), 60 * MEBIBYTE);
      else writeFileSync(bench.path(name), big);
      expect(await told()).toContainEqual(expect.stringMatching(/json: it is larger than 1 MiB/));
      expect(await outcome()).toMatch(/is larger than 1 MiB/);
    }
  });

  it("name a configuration of the sidecar with lists in each other, or with keys for ever, by file and line", async () => {
    const texts = [
      [
        "bridge:\n  port: [".padEnd(500_000, "["),
        /config\.yml: line 2, column 27: it is nested deeper than 20/,
      ],
      ["port: 1\n".repeat(120_000), /config\.yml: line 2858, column 1: it holds more than 20000 names/],
    ] as const;
    for (const [text, why] of texts) {
      writeFileSync(bench.config, text);
      expect(await told()).toContainEqual(expect.stringMatching(why));
      expect(await outcome()).toMatch(why);
    }
  });

  it("name an allowlist of 60 MB, and one with lists in each other", async () => {
    sparse(bench.path("allowlist.json"), 60 * MEBIBYTE);
    expect(await told()).toContainEqual(expect.stringMatching(/allowlist.json: .*larger than 2 MiB/));
    writeFileSync(bench.path("allowlist.json"), "[".repeat(2_000_000));
    expect(await told()).toContainEqual(expect.stringMatching(/allowlist.json: .*nested deeper than 100/));
    expect(await outcome()).toBe("nothing");
  });

  it("name a server.properties of 60 MB with one line, and get through one of a megabyte", async () => {
    const path = bench.path("server.properties");
    writeFileSync(path, "x".repeat(60 * MEBIBYTE));
    const why = /server.properties: it is larger than 1 MiB/;
    expect(await told()).toContainEqual(expect.stringMatching(why));
    expect(await outcome()).toMatch(why);
    const blanks = " ".repeat(MEBIBYTE / 3);
    for (const line of [`level-name=x${blanks}x`, `a${blanks}`, `level-name${blanks}=x`, blanks]) {
      writeFileSync(path, `${line}\n`);
      expect(await told()).not.toEqual([]);
      expect(await outcome()).toMatch(/there is no such world|expected the name of a folder/);
    }
  });

  it("get through an address with a megabyte of slashes, and through a list of as many addresses", async () => {
    const slashes = "/".repeat(MEBIBYTE - 100);
    writeFileSync(bench.path(`${MODULE}/variables.json`), `{"bridge-url":"http://a${slashes}b"}`);
    expect(await told()).not.toEqual([]);
    expect(await outcome()).toBe("shown");
    const uris = Array.from({ length: 100_000 }, (_, at) => String(at));
    const net = { "@minecraft/server-net": { allowed_uris: uris } };
    writeFileSync(bench.path(`${MODULE}/permissions.json`), JSON.stringify({ module_permissions: net }));
    expect(await told()).not.toEqual([]);
    expect(await outcome()).toMatch(/permissions.json: it has \d+ places to change/);
  });

  it("name a level.dat of 60 MB, and one that is nested 100,000 deep", async () => {
    const path = bench.world("level.dat");
    sparse(path, 60 * MEBIBYTE);
    expect(await told()).toContainEqual(expect.stringMatching(/level.dat: it is larger than 2 MiB/));
    expect(await outcome()).toMatch(/level.dat: is larger than 2 MiB/);
    const deep = Uint8Array.from({ length: 300_000 }, (_, at) => (at % 3 === 0 ? 10 : 0));
    const file = new Uint8Array(deep.length + 8);
    file.set(deep, 8);
    new DataView(file.buffer).setUint32(4, deep.length, true);
    writeFileSync(path, file);
    expect(await told()).toContainEqual(expect.stringMatching(/level.dat: it is nested deeper than 512/));
    expect(await outcome()).toMatch(/level.dat: it is nested deeper than 512: nothing has been changed/);
  });

  it("get through links in a pack that lead back, and folders deeper than anybody has", async () => {
    rmSync(bench.path("behavior_packs/broken"), { recursive: true });
    const pack = bench.path("behavior_packs/web_bridge");
    for (const name of ["a", "b", "c", "d"]) symlinkSync(".", join(pack, name));
    expect(await told()).toEqual([]);
    expect(await outcome()).toBe("nothing");
    for (const name of ["a", "b", "c", "d"]) rmSync(join(pack, name));
    mkdirSync(join(pack, "a/".repeat(300)), { recursive: true });
    expect(await told()).toEqual([]);
    expect(await outcome()).toMatch(/\/a: is in more than 100 folders/);
  });
});

describe("setup", () => {
  const journal = (): string => bench.path("web-bridge-setup/journal.json");

  it("refuses a journal that is too large, too deep or has too many entries", async () => {
    const own = bench.read(journal());
    sparse(journal(), 60 * MEBIBYTE);
    for (const run of ["setUp", "undo"] as const)
      expect(await outcome(run)).toMatch(/journal.json: is larger than 2 MiB/);
    writeFileSync(journal(), `${own.trim().slice(0, -1)},"x":${"[".repeat(200_000)}${"]".repeat(200_000)}}`);
    expect(await outcome("undo")).toMatch(
      /journal.json: it is nested deeper than 100: delete .* to go on without undo/,
    );
    const folders = Array.from({ length: 5001 }, (_, at) => `f${at}`);
    writeFileSync(journal(), JSON.stringify({ ...JSON.parse(own), folders }));
    expect(await outcome("undo")).toMatch(/journal.json: folders: expected what setup has written/);
    expect((await told()).length).toBeLessThan(5);
  });

  it("refuses to look through thousands of copies of level.dat in its own folder", async () => {
    for (let copy = 2; copy < 300; copy++)
      sparse(bench.path(`web-bridge-setup/level.dat.before-web-bridge.${copy}`), 2 * MEBIBYTE);
    expect(await outcome("undo")).toMatch(
      /level.dat.before-web-bridge: has more than 20 later ones beside it/,
    );
  });

  it("refuses a list with its pack in it thousands of times, which it would take out one by one", async () => {
    const entry = { pack_id: "0612fdb1-6896-42b9-b127-8e35632f6398", version: [0, 0, 1] };
    const list = Array.from({ length: 10_000 }, () => entry);
    writeFileSync(bench.world("world_behavior_packs.json"), JSON.stringify(list));
    expect(await outcome()).toMatch(/world_behavior_packs.json: it has 10000 places to change/);
  });
});

import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { type Zippable, zipSync } from "fflate";
import { folderProgram } from "../../owner/prove/folder-program.ts";
import {
  changesBetween,
  executableOf,
  isLeftOut,
  type Program,
  pathFault,
} from "../../owner/prove/program.ts";
import { zipProgram } from "../../owner/prove/zip-program.ts";
import { fakeServer } from "./fake-server.ts";

const NEVER = new AbortController().signal;
const folder = (): string => mkdtempSync(join(tmpdir(), "prove "));
const text = (words: string): Uint8Array => new TextEncoder().encode(words);

const SERVER: Zippable = {
  bedrock_server: text("program"),
  "server.properties": text("level-name=x\n"),
  "behavior_packs/vanilla/manifest.json": text("{}"),
};

function zipped(files: Zippable): string {
  const path = join(folder(), "server.zip");
  writeFileSync(path, zipSync(files));
  return path;
}

const pathsOf = ({ files }: Program): string[] => files.map(({ path }) => path).sort();

/** Root may read all that there is. */
async function asNobody(act: () => Promise<unknown>): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    await act();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

async function copied(program: Program): Promise<string[]> {
  const to = folder();
  await program.copyTo(to, NEVER);
  return readdirSync(to, { recursive: true, encoding: "utf8" }).sort();
}

describe("the program in a folder", () => {
  it("is copied without worlds, players, our own packs, and settings and secrets of scripts", async () => {
    const root = await fakeServer();
    writeFileSync(join(root, "Dedicated_Server.txt"), "log");
    // As setup leaves it.
    for (const kind of ["behavior", "resource"]) {
      mkdirSync(join(root, `${kind}_packs/web_bridge`), { recursive: true });
      writeFileSync(join(root, `${kind}_packs/web_bridge/manifest.json`), "{}");
    }
    mkdirSync(join(root, "backups/old"), { recursive: true });
    writeFileSync(join(root, "backups/old/level.dat"), "x");
    const paths = pathsOf(await folderProgram(root));
    expect(paths).toEqual(
      expect.arrayContaining(["bedrock_server", "server.properties", "template/level.dat"]),
    );
    const own = /^(worlds|backups|\w+_packs\/web_bridge|allowlist|permissions|config\/(?!default)|Dedicated)/;
    expect(paths.filter(path => own.test(path))).toEqual([]);
    expect(await copied(await folderProgram(root))).toEqual(expect.arrayContaining(paths));
  });

  it("follows a link to a file, and copies what it leads to", async () => {
    const root = await fakeServer();
    const elsewhere = join(folder(), "shared.txt");
    writeFileSync(elsewhere, "shared");
    symlinkSync(elsewhere, join(root, "shared.txt"));
    const to = folder();
    await (await folderProgram(root)).copyTo(to, NEVER);
    expect(readFileSync(join(to, "shared.txt"), "utf8")).toBe("shared");
  });

  it("is copied with names that only this system takes, and without protection from writing", async () => {
    const root = await fakeServer();
    writeFileSync(join(root, "note 12:30.txt"), "");
    chmodSync(join(root, "server.properties"), 0o444);
    const to = folder();
    await (await folderProgram(root)).copyTo(to, NEVER);
    expect(readdirSync(to)).toContain("note 12:30.txt");
    expect(statSync(join(to, "server.properties")).mode & 0o200).toBe(0o200);
    expect(statSync(join(root, "server.properties")).mode & 0o200).toBe(0);
  });

  it("is refused where there is no game server", async () => {
    await expect(folderProgram(folder())).rejects.toThrow("is not the folder of a game server");
  });

  it("is refused where folders lead back to themselves", async () => {
    const root = await fakeServer();
    symlinkSync(root, join(root, "again"));
    await expect(folderProgram(root)).rejects.toThrow(/again.*(too many folders|is too long)/);
  });

  it("is copied without links that lead nowhere", async () => {
    const root = await fakeServer();
    symlinkSync("itself", join(root, "itself"));
    symlinkSync("/none/there", join(root, "gone"));
    const paths = pathsOf(await folderProgram(root));
    expect(paths).toContain("bedrock_server");
    expect(paths.filter(path => /itself|gone/.test(path))).toEqual([]);
  });

  it("is compared without the bytes of what this user may not read, and says what of the program it may not", async () => {
    const root = await fakeServer();
    mkdirSync(join(root, "keys/within"), { recursive: true });
    writeFileSync(join(root, "keys/private.pem"), "key");
    chmodSync(join(root, "keys/private.pem"), 0);
    chmodSync(join(root, "keys/within"), 0);
    chmodSync(root, 0o755);
    chmodSync(dirname(root), 0o755);
    chmodSync(join(root, "server.properties"), 0o644);
    await asNobody(async () => {
      const program = await folderProgram(root);
      expect([...(await program.look()).keys()]).toEqual(
        expect.arrayContaining(["keys/private.pem", "keys/within", "bedrock_server"]),
      );
    });
    chmodSync(join(root, "resource_packs"), 0);
    await asNobody(() =>
      expect(folderProgram(root)).rejects.toThrow(
        /resource_packs: cannot be read: no permission \(EACCES\): run this as the user/,
      ),
    );
    chmodSync(join(root, "resource_packs"), 0o755);
    chmodSync(join(root, "server.properties"), 0);
    await asNobody(async () => {
      const program = await folderProgram(root);
      await expect(program.copyTo(folder(), NEVER)).rejects.toThrow(
        /server.properties: cannot be read: no permission \(EACCES\): run this as the user/,
      );
    });
  });

  it("is seen to be changed by a byte, a name, and a file that comes and goes", async () => {
    const root = await fakeServer();
    const program = await folderProgram(root);
    const before = await program.look();
    expect(changesBetween(before, await program.look())).toEqual([]);
    writeFileSync(join(root, "allowlist.json"), "[ ]\n");
    writeFileSync(join(root, "worlds/new.txt"), "");
    expect(changesBetween(before, await program.look())).toEqual([
      "allowlist.json",
      "worlds",
      "worlds/new.txt",
    ]);
  });
});

describe("the program in a zip file", () => {
  it("is unpacked, with a folder around it or without, and without worlds", async () => {
    expect(pathsOf(await zipProgram(zipped({ ...SERVER, "worlds/a/level.dat": text("x") })))).toEqual(
      Object.keys(SERVER).sort(),
    );
    const within = Object.fromEntries(
      Object.entries(SERVER).map(([path, bytes]) => [`server/${path}`, bytes]),
    );
    const program = await zipProgram(zipped({ ...within, "other.txt": text("x") }));
    expect(await copied(program)).toEqual(expect.arrayContaining(Object.keys(SERVER)));
    expect(pathsOf(program)).toEqual(Object.keys(SERVER).sort());
  });

  it.each([
    ["a link", { more: [text("/etc/passwd"), { os: 3, attrs: (0o120777 << 16) >>> 0 }] }, "is a link"],
    ["a path that leads out", { "../more": text("x") }, /invalid relative path|leads out/],
    ["an absolute path", { "/more": text("x") }, /absolute path|leads out/],
    ["a name that not every system takes", { "some:b": text("x") }, "not every system takes"],
  ] satisfies [string, Zippable, string | RegExp][])("is refused with %s in it", async (_what, more, why) => {
    await expect(zipProgram(zipped({ ...SERVER, ...more }))).rejects.toThrow(why);
  });

  it("is refused where it is damaged, is none, or has no game server", async () => {
    const path = zipped({ ...SERVER, bedrock_server: [text("program ".repeat(9)), { level: 0 }] });
    const bytes = readFileSync(path);
    bytes[bytes.indexOf("program program") + 3] = 0;
    writeFileSync(path, bytes);
    await expect(copied(await zipProgram(path))).rejects.toThrow(
      "bedrock_server is damaged: get the file again",
    );
    writeFileSync(path, "no zip");
    await expect(zipProgram(path)).rejects.toThrow("cannot be read as a zip file");
    await expect(zipProgram(zipped({ "a.txt": text("x") }))).rejects.toThrow("has no game server in it");
  });

  it("is not unpacked further once it is called off", async () => {
    const program = await zipProgram(zipped(SERVER));
    const to = folder();
    await expect(program.copyTo(to, AbortSignal.abort())).rejects.toThrow(/abort/);
    expect(statSync(to).isDirectory() && readdirSync(to)).toEqual([]);
  });
});

describe("the file that is started", () => {
  const of = (...names: string[]) => executableOf(["server.properties", ...names]);

  it("is none that only begins with the name of the program: scripts of the owner, and what was saved of it", () => {
    const others = [
      "bedrock_server_start.sh",
      "bedrock_server.sh",
      "bedrock_server.old",
      "bedrock_server-start",
    ];
    expect(of(...others)).toBeUndefined();
    expect(of(...others, "bedrock_server")).toBe("bedrock_server");
    expect(of("bedrock_server.exe.bak", "bedrock_server.exe", "bedrock_server.pdb")).toBe(
      "bedrock_server.exe",
    );
  });

  it("is the newest where the name tells its version", () => {
    expect(of("bedrock_server-1.26.9.1", "bedrock_server-1.26.60.6", "bedrock_server-1.26.51.1")).toBe(
      "bedrock_server-1.26.60.6",
    );
    expect(of("bedrock_server-1.26.60.6", "bedrock_server")).toBe("bedrock_server");
  });

  it("is none where server.properties is missing", () => {
    expect(executableOf(["bedrock_server"])).toBeUndefined();
  });
});

describe("paths of a program", () => {
  it.each([
    "../x",
    "/x",
    "a/../../x",
    "c:/x",
    "a//b",
    "a/./b",
    "x ",
    "x.",
    "a\\b",
    "a\u0000b",
    "n/".repeat(40),
  ])("%j is refused", path => expect(pathFault(path)).toBeDefined());

  it.each([
    ["worlds/a/level.dat", true],
    ["worlds_backup/a/level.dat", true],
    ["world.old/level.dat", true],
    ["backup/a/level.dat", true],
    ["my-backups/a/level.dat", true],
    ["monday.tar.gz", true],
    ["a.mcworld", true],
    [".ssh/id_ed25519", true],
    ["config/default/permissions.json", false],
    ["config/default/secrets.json", true],
    ["config/default/variables.json", true],
    ["behavior_packs/vanilla_1.26.60.zip", false],
    ["definitions/world_templates/x.json", false],
    ["config/d09dd5f3-f8bd-4efc-8114-e391c22053b3/secrets.json", true],
    ["allowlist.json", true],
    ["behavior_packs/worlds/x.json", false],
    ["bedrock_server", false],
    ["libCrypto.so", false],
    ["keys/private.pem", true],
    ["lost+found", true],
    ["deviations.json", false],
  ])("%s is left out: %s", (path, isOut) => expect(isLeftOut(path)).toBe(isOut));
});

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "@jest/globals";
import { systemDisk } from "../../owner/setup/disk.ts";
import { planLines } from "../../owner/setup/show.ts";
import { defaultConfigFile } from "../../sidecar/config/default-file.ts";
import { others as bench, freshOthers, IS_ROOT, MODULE, OWNER } from "../helpers/others-server.ts";
import { needs } from "../helpers/runner.ts";
import { treeOf } from "../helpers/server-setup.ts";

freshOthers();

/** Bytes that do something as soon as all of them have been written. */
function thenDo(bytes: Uint8Array, act: () => void): Uint8Array {
  let asked = 0;
  const length = (): number => {
    if (++asked === 2) act();
    return bytes.length;
  };
  return Object.defineProperty(Uint8Array.from(bytes), "length", { get: length });
}

const ended = (run: Promise<unknown>): Promise<unknown> => run.catch((error: unknown) => error);

needs("root", IS_ROOT).describe("setup as root in the folder of another user", () => {
  it("leaves everything to that user, and root is root again", async () => {
    await bench.open();
    chmodSync(bench.folder, 0o700);
    const [before, groups] = [treeOf(bench.server), process.getgroups?.()];
    expect((await bench.setUp()).end).toBe("done");
    for (const name of readdirSync(bench.server, { recursive: true, encoding: "utf8" })) {
      const { uid, gid } = lstatSync(bench.path(name));
      expect({ name, uid, gid }).toEqual({ name, ...OWNER });
    }
    const kept = Object.entries(treeOf(bench.server)).filter(([name]) => name.startsWith("web-bridge-setup"));
    expect(kept.length).toBeGreaterThan(4);
    for (const [, what] of kept) expect(what).toMatch(/^(folder 700|file 600)/);
    await bench.undo();
    expect(treeOf(bench.server)).toEqual(before);
    expect([process.geteuid?.(), process.getegid?.(), process.getgroups?.()]).toEqual([0, 0, groups]);
  });

  it("keeps the group of a file that the owner shares with another", async () => {
    await bench.open();
    chownSync(bench.path("server.properties"), OWNER.uid, 2345);
    chmodSync(bench.path("server.properties"), 0o6640);
    await bench.setUp();
    const { uid, gid, mode } = lstatSync(bench.path("server.properties"));
    expect({ uid, gid, mode: mode & 0o7777 }).toEqual({ uid: OWNER.uid, gid: 2345, mode: 0o640 });
  });

  it("keeps nothing in a folder that somebody else has made for it", async () => {
    await bench.open(0);
    mkdirSync(bench.path("web-bridge-setup"));
    chownSync(bench.path("web-bridge-setup"), OWNER.uid, OWNER.gid);
    await expect(bench.setUp()).rejects.toThrow(
      /web-bridge-setup: belongs to another user than the server's/,
    );
    expect(readdirSync(bench.path("web-bridge-setup"))).toEqual([]);
  });

  it("does not read what its owner may not", async () => {
    await bench.open();
    const path = bench.path("server.properties");
    chownSync(path, 0, 0);
    chmodSync(path, 0o600);
    await expect(bench.setUp()).rejects.toMatchObject({ code: "EACCES" });
  });

  it("gives nothing of root's away when a file is replaced before it gets its owner", async () => {
    await bench.open();
    const before = bench.rootsOwn();
    bench.disk = {
      ...systemDisk,
      create: (path, bytes, mode, inPlaceOf) => {
        const swap = (): void => {
          rmSync(path);
          symlinkSync(bench.secret, path);
        };
        systemDisk.create(path, /properties/.test(path) ? thenDo(bytes, swap) : bytes, mode, inPlaceOf);
      },
    };
    await ended(bench.setUp());
    expect(lstatSync(bench.path("server.properties")).isSymbolicLink()).toBe(true);
    expect(bench.rootsOwn()).toEqual(before);
  });

  it.each([
    ["in a folder that is the user's", OWNER.uid],
    ["in a folder of root's with one of the user's in it", 0],
  ])("writes nothing outside when a folder is replaced at the last moment, %s", async (_name, uid) => {
    await bench.open(uid);
    chownSync(bench.path("config"), OWNER.uid, OWNER.gid);
    for (const name of ["permissions.json", "variables.json", "secrets.json"])
      writeFileSync(join(bench.outside, name), "{}");
    const before = bench.rootsOwn();
    let swaps = 0;
    bench.disk = {
      ...systemDisk,
      create: (path, bytes, mode, inPlaceOf) => {
        if (/permissions/.test(path) && swaps++ === 0) bench.swap(MODULE);
        systemDisk.create(path, bytes, mode, inPlaceOf);
      },
    };
    const error = await ended(bench.setUp());
    expect(swaps).toBe(1);
    expect(error).toMatchObject({ code: "EACCES" });
    expect(bench.rootsOwn()).toEqual(before);
  });

  it("stops when the server's folder itself is replaced", async () => {
    await bench.open();
    chownSync(bench.folder, OWNER.uid, OWNER.gid);
    let isSwapped = false;
    bench.disk = {
      ...systemDisk,
      makeFolder: (path, mode) => {
        systemDisk.makeFolder(path, mode);
        if (isSwapped || !path.endsWith("web_bridge")) return;
        isSwapped = true;
        renameSync(bench.server, `${bench.server}.aside`);
        symlinkSync(bench.outside, bench.server);
      },
    };
    const before = bench.rootsOwn();
    expect(await ended(bench.setUp())).toMatchObject({
      message: expect.stringMatching(/was replaced by another/),
    });
    expect(bench.rootsOwn()).toEqual(before);
  });

  it("takes a group that is root's for none of the owner's", async () => {
    await bench.open();
    chownSync(bench.server, OWNER.uid, 0);
    const seen = new Set<number | undefined>();
    bench.disk = {
      ...systemDisk,
      read: path => {
        if (/properties/.test(path)) seen.add(process.getegid?.());
        return systemDisk.read(path);
      },
    };
    await bench.setUp();
    expect([...seen]).toEqual([65_534]);
  });
});

needs("root", IS_ROOT).describe("setup as root with the sidecar's files in the folder of its user", () => {
  it("does not follow links of that user", async () => {
    await bench.open();
    const home = dirname(bench.config);
    await bench.setUp();
    for (const path of [home, bench.config]) chownSync(path, 1234, 2345);
    const token = join(home, "data", "bridge-token");
    chownSync(dirname(token), 1234, 2345);
    writeFileSync(bench.secret, "a-token-of-another-sidecar\n");
    rmSync(token);
    symlinkSync(bench.secret, token);
    const before = bench.rootsOwn();
    await expect(bench.setUp()).rejects.toMatchObject({ code: "EACCES" });
    expect(bench.read(bench.path(`${MODULE}/secrets.json`))).not.toContain("another-sidecar");
    expect(bench.rootsOwn()).toEqual(before);
    rmSync(token);
    rmSync(bench.config);
    symlinkSync(bench.secret, bench.config);
    await expect(bench.setUp()).rejects.toThrow(/config.yml: leads out of/);
    rmSync(bench.config);
    spawnSync("mkfifo", [bench.config]);
    chownSync(bench.config, 1234, 2345);
    await expect(bench.setUp()).rejects.toThrow(/config.yml: is a pipe or a device/);
    expect(bench.rootsOwn()).toEqual(before);
  });

  it("takes back what the chest form has changed in its configuration, and nothing else", async () => {
    await bench.open();
    bench.buildResourcePack();
    await bench.setUp();
    await bench.setUp({ chestForm: true });
    expect(bench.read(bench.config)).toContain("link-form: chest");
    await bench.undo();
    expect(bench.read(bench.config)).toBe(defaultConfigFile());
  });

  it("leaves a configuration alone that undo was not told of", async () => {
    await bench.open();
    bench.buildResourcePack();
    await bench.setUp();
    await bench.setUp({ chestForm: true });
    await bench.undo({ config: join(bench.folder, "another.yml") });
    expect(planLines(bench.plan).join("\n")).toMatch(/config.yml\n\s+stays as it is: name it with --config/);
    expect(bench.read(bench.config)).toContain("link-form: chest");
  });
});

import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { bench, freshBench, SCRIPT, type Tree, timesOf, treeOf } from "../../test/helpers/server-setup.ts";
import { stateOf } from "./change.ts";

const LIST = "world_behavior_packs.json";
const RECORD = "web-bridge-setup/journal.json";

freshBench();

const edit = (path: string, from: string, to: string): void =>
  writeFileSync(path, bench.read(path).replace(from, to));

describe("undo", () => {
  it("restores the server's folder byte for byte", async () => {
    rmSync(bench.world(LIST));
    const before = treeOf(bench.server);
    await bench.setUp();
    expect((await bench.undo({ dryRun: true })).end).toBe("shown");
    expect((await bench.undo()).end).toBe("done");
    expect(treeOf(bench.server)).toEqual(before);
    const times = timesOf(bench.server);
    expect((await bench.undo()).end).toBe("nothing");
    expect(timesOf(bench.server)).toEqual(times);
  });

  it("removes everything of a setup that was killed while it took over the lock of another one", async () => {
    const before = treeOf(bench.server);
    await bench.setUp();
    writeFileSync(bench.path("web-bridge-setup/lock.4712"), "4711\n");
    await bench.undo();
    expect(treeOf(bench.server)).toEqual(before);
  });

  it("keeps a file that has since been edited, says what to undo by hand, and restores the others", async () => {
    const permissions = bench.script("permissions.json");
    const before = treeOf(bench.server);
    await bench.setUp();
    const list = bench.read(bench.world(LIST));
    edit(bench.path("server.properties"), "difficulty=easy", "difficulty=hard");
    edit(bench.world(LIST), "// the pack of", "// a pack of");
    edit(permissions, "65536", "99999");
    const level = readFileSync(bench.world("level.dat"));
    level.writeInt8(level.readInt8(60) ^ 1, 60);
    writeFileSync(bench.world("level.dat"), level);
    appendFileSync(bench.path("behavior_packs/web_bridge/scripts/main.js"), "// mine\n");
    const edited = treeOf(bench.server);
    await bench.undo();
    expect(bench.lines).toMatch(
      /server.properties\n\s+was changed since then: left as it is; undo by hand what setup has changed:\n\s+content-log-console-output-enabled: false -> true/,
    );
    expect(bench.lines).toMatch(/by hand what setup has changed:\n\s+Web Bridge: \(none\) -> 0.1.0/);
    expect(bench.lines).toMatch(/level.dat\n\s+was changed since then, for example by the server: left/);
    expect(bench.lines).toMatch(/main.js\n\s+was changed since then: left as it is$/);
    const after = treeOf(bench.server);
    const paths = ["server.properties", `worlds/${bench.levelName}/${LIST}`, `${SCRIPT}/permissions.json`];
    for (const name of [...paths, `worlds/${bench.levelName}/level.dat`])
      expect(after[name]).toBe(edited[name]);
    expect(bench.read(bench.world(LIST))).toBe(list.replace("// the pack of", "// a pack of"));
    for (const name of [`${SCRIPT}/secrets.json`, `${SCRIPT}/variables.json`, "web-bridge-setup"])
      expect([name, after[name]]).toEqual([name, before[name]]);
    expect(after["behavior_packs/web_bridge/manifest.json"]).toBeUndefined();
  });

  it("undoes nothing in a file that was edited between two runs of setup", async () => {
    const path = bench.path("server.properties");
    await bench.setUp();
    edit(path, "difficulty=easy", "difficulty=hard");
    bench.buildResourcePack();
    await bench.setUp({ chestForm: true });
    const now = bench.read(path);
    await bench.undo();
    expect(bench.read(path)).toBe(now);
    expect(bench.lines).toMatch(
      /content-log-console-output-enabled: false -> true\n\s+texturepack-required: \(none\) -> true/,
    );
  });

  it("shows no secret of a file that it keeps", async () => {
    await bench.setUp();
    writeFileSync(bench.script("secrets.json"), '{"bridge-token":"another-0123456789"}');
    await bench.undo();
    expect(bench.lines).toContain("bridge-token: (none) -> the sidecar's (hidden)");
    expect(bench.lines).not.toContain("another-0123456789");
  });

  it("does not restore what the owner has deleted", async () => {
    await bench.setUp();
    rmSync(bench.world(""), { recursive: true });
    rmSync(bench.path("behavior_packs"), { recursive: true });
    await bench.undo();
    const tree = Object.keys(treeOf(bench.server));
    expect(tree.filter(name => /worlds\/|behavior_packs|web-bridge|d09dd5/.test(name))).toEqual([]);
  });

  it("does not change a configuration that is not named, and restores it once it is", async () => {
    await bench.setUp();
    await bench.setUp({ knownPlayers: "everybody" });
    const config = bench.read(bench.config);
    await bench.undo({ config: join(bench.folder, "another.yml") });
    expect(bench.lines).toMatch(/config.yml\n\s+is left as it is: to undo it too, pass it with --config/);
    expect(bench.read(bench.config)).toBe(config);
    await bench.undo();
    expect(bench.read(bench.config)).not.toBe(config);
    expect((await bench.undo()).end).toBe("nothing");
  });

  it.each([
    ["was deleted", (path: string) => rmSync(path)],
    ["is empty", (path: string) => writeFileSync(path, "")],
  ])("restores the level.dat of a world that %s, from its only copy", async (_, lose) => {
    const before = treeOf(bench.server);
    await bench.setUp();
    lose(bench.world("level.dat"));
    await bench.undo();
    expect(treeOf(bench.server)).toEqual(before);
  });

  it("does nothing if a copy that it needs is missing", async () => {
    await bench.setUp();
    rmSync(bench.path("web-bridge-setup/kept"), { recursive: true });
    const before = treeOf(bench.server);
    await expect(bench.undo()).rejects.toThrow(/web-bridge-setup: is damaged: a copy that undo needs/);
    expect(treeOf(bench.server)).toEqual(before);
  });
});

/** What an earlier version of setup has left, after a second run with another version of the pack: see its `before`. */
interface EarlierSetup {
  before: Record<string, SavedFile>;
  changed: Record<string, SavedFile>;
  gone: string[];
  config: { before: string; after: string };
}
interface SavedFile {
  mode: string;
  text?: string;
  base64?: string;
}

describe("undo of an earlier version's setup", () => {
  const earlier: EarlierSetup = JSON.parse(
    readFileSync(new URL("testing/earlier-setup.json", import.meta.url), "utf8"),
  );

  function put(files: Record<string, SavedFile>): void {
    for (const [name, { mode, text = "", base64 }] of Object.entries(files)) {
      mkdirSync(dirname(bench.path(name)), { recursive: true });
      const bytes =
        base64 === undefined ? text.replaceAll("{config}", bench.config) : Buffer.from(base64, "base64");
      rmSync(bench.path(name), { force: true });
      writeFileSync(bench.path(name), bytes, { mode: Number.parseInt(mode, 8) });
    }
  }

  function make(): Tree {
    rmSync(bench.server, { recursive: true });
    put(earlier.before);
    const before = treeOf(bench.server);
    put(earlier.changed);
    for (const name of earlier.gone) rmSync(bench.path(name));
    mkdirSync(dirname(bench.config));
    writeFileSync(bench.config, earlier.config.after);
    return before;
  }

  /** Folders that were there before setup, and are empty in what is kept of it. */
  const withoutFolders = (tree: Tree): Tree =>
    Object.fromEntries(Object.entries(tree).filter(([, what]) => what.startsWith("file")));

  it("restores everything", async () => {
    const before = make();
    await bench.undo();
    expect(withoutFolders(treeOf(bench.server))).toEqual(withoutFolders(before));
    expect(bench.read(bench.config)).toBe(earlier.config.before);
    expect(existsSync(bench.path("web-bridge-setup"))).toBe(false);
  });

  it("continues with a setup of this version", async () => {
    const before = make();
    bench.buildPack([0, 3, 0]);
    bench.buildResourcePack([0, 3, 0]);
    expect((await bench.setUp()).end).toBe("done");
    await bench.undo();
    expect(withoutFolders(treeOf(bench.server))).toEqual(withoutFolders(before));
  });
});

describe("a record", () => {
  const change = (more: object): void => {
    const path = bench.path(RECORD);
    const journal = JSON.parse(bench.read(path));
    writeFileSync(path, JSON.stringify({ ...journal, ...more }));
  };

  /** An entry that would replace a file. */
  function forged(path: string, kind: string): object {
    const [file, bytes] = [join(bench.folder, "mine"), Buffer.from("log.level: debug\n")];
    writeFileSync(file, "mine");
    writeFileSync(bench.path(`web-bridge-setup/kept/${stateOf(bytes)}`), bytes);
    const before = { state: stateOf(bytes), mode: 0o666 };
    return { path, kind, before, after: [stateOf(Buffer.from("mine"))] };
  }

  it.each<[string, () => object]>([
    ["an absolute path", () => ({ entries: [forged(join(bench.folder, "mine"), "json")] })],
    ["a path with ..", () => ({ entries: [forged("../mine", "json")] })],
    ["a path with .. in its midst", () => ({ entries: [forged("config/../../mine", "pack")] })],
    ["a folder outside", () => ({ folders: ["../mine"] })],
  ])("that names %s is rejected by setup and by undo", async (_what, more) => {
    await bench.setUp();
    change(more());
    bench.buildPack([0, 2, 0]);
    const before = treeOf(bench.folder);
    for (const run of [() => bench.undo({ dryRun: true }), () => bench.undo(), () => bench.setUp()])
      await expect(run()).rejects.toThrow(
        /journal.json: cannot be read: .*mine: expected a path in .*: delete /,
      );
    expect(treeOf(bench.folder)).toEqual(before);
  });

  it("changes no file outside, even if it is recorded as a configuration", async () => {
    await bench.setUp();
    change({ entries: [forged(join(bench.folder, "mine"), "yaml")] });
    await bench.undo();
    expect(bench.read(join(bench.folder, "mine"))).toBe("mine");
  });

  it.each([
    "[]",
    "{",
    '{"version":2,"entries":[],"folders":[]}',
    '{"version":1,"entries":[{"path":"x","kind":"json","before":{"state":"../x","mode":420},"after":[]}],"folders":[]}',
    '{"version":1,"entries":[],"folders":[7]}',
  ])("that is damaged is rejected, with what to do: %s", async text => {
    await bench.setUp();
    writeFileSync(bench.path(RECORD), text);
    bench.buildPack([0, 2, 0]);
    for (const run of [() => bench.undo(), () => bench.setUp()])
      await expect(run()).rejects.toThrow(
        /journal.json: cannot be read: .*: delete .* to continue without undo/,
      );
  });
});

import { cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { setProperties } from "../../bds/properties.ts";
import { readFileValues } from "../../sidecar/config/file-values.ts";
import { needs } from "../../test/helpers/needs.ts";
import { Bench, treeOf } from "../../test/helpers/server-setup.ts";
import { answer, HAS_SCRIPT, run } from "./testing/command.ts";

describe("the command", () => {
  let bench: Bench;
  let always: string[];
  beforeEach(async () => {
    bench = await new Bench().make();
    always = ["--server", bench.server, "--config", bench.config];
  });

  it("sets up, then finds nothing to do, and undoes it", async () => {
    const before = treeOf(bench.server);
    const first = await run(...always, "--yes");
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).not.toContain("How should");
    expect(first.out).toContain("Beta APIs experiment: off -> on");
    expect(first.out).toContain("content-log-console-output-enabled: false -> true");
    // Another where a program of this machine has the usual one.
    const port = readFileValues(bench.read(bench.config)).values.get("bridge.port");
    expect(first.out).toContain(`[web bridge] connected to the sidecar at http://127.0.0.1:${port}`);
    const [server, config] = [bench.server, bench.config];
    expect(first.out).toContain(
      `1. start the game server and the sidecar:  npm run launch -- --server "${server}" --config "${config}"`,
    );
    expect(first.out).toContain(`npm start -- --config "${config}"`);
    expect(first.out).toContain(`npm run doctor -- --server "${server}" --config "${config}"\n`);
    expect(first.out).toContain(`npm run setup -- --server "${server}" --config "${config}" --undo\n`);
    expect(await run(...always, "--yes")).toEqual({ code: 0, out: "nothing to change\n", err: "" });
    expect((await run(...always, "--yes", "--chest-form")).out).toContain("link-form: buttons -> chest");
    expect((await run(...always, "--yes", "--no-chest-form")).out).toContain("link-form: chest -> buttons");
    const known = await run(...always, "--yes", "--known-players", "everybody");
    expect(known.out).toContain("known-players.show: key -> everybody");
    expect((await run(...always, "--yes", "--undo")).code).toBe(0);
    expect(treeOf(bench.server)).toEqual(before);
    expect(await run(...always, "--undo")).toEqual({ code: 0, out: "nothing to undo\n", err: "" });
  });

  it("says how to start a further game server without a second sidecar", async () => {
    await run(...always, "--yes");
    const lobby = join(bench.folder, "lobby");
    cpSync(bench.server, lobby, { recursive: true });
    rmSync(join(lobby, "web-bridge-setup"), { recursive: true });
    const further = await run("--server", lobby, "--config", bench.config, "--as", "lobby", "--yes");
    expect(further.out).toContain(
      `2. start the game server:  npm run launch -- --server "${lobby}" --config "${bench.config}" --as lobby --no-sidecar\n`,
    );
  });

  it("keeps achievements, and says how to start the game server then", async () => {
    const { out } = await run(...always, "--yes", "--keep-achievements");
    expect(out).not.toContain("Beta APIs");
    const launch = `npm run launch -- --server "${bench.server}" --config "${bench.config}"`;
    expect(out).toContain(`1. start the game server and the sidecar, always with this command:  ${launch}\n`);
    expect(out).not.toContain("npm start");
    const json = await run(...always, "--yes", "--json", "--all-features", "--dry-run");
    expect(JSON.parse(json.out)).toMatchObject({ end: "shown", keepsAchievements: false });
    const lobby = join(bench.folder, "lobby");
    cpSync(bench.server, lobby, { recursive: true });
    rmSync(join(lobby, "web-bridge-setup"), { recursive: true });
    const further = await run("--server", lobby, "--config", bench.config, "--as", "lobby", "--yes");
    expect(further.out).toMatch(
      /2\. start the game server: {2}npm run launch -- .+ --as lobby --no-sidecar\n +its console then shows/,
    );
  });

  it("runs only once in a folder at a time", async () => {
    const before = treeOf(bench.server);
    const results = await Promise.all([0, 1, 2].map(() => run(...always, "--yes")));
    expect(results.some(({ code }) => code === 0)).toBe(true);
    for (const { code, err } of results)
      if (code !== 0)
        expect({ code, err }).toEqual({
          code: 1,
          err: expect.stringMatching(/^another setup is running/),
        });
    expect((await run(...always, "--yes")).out).toBe("nothing to change\n");
    expect((await run(...always, "--yes", "--undo")).code).toBe(0);
    expect(treeOf(bench.server)).toEqual(before);
  });

  it("requires --yes without a terminal", async () => {
    const before = treeOf(bench.folder);
    const result = await run(...always);
    expect(result.code).toBe(1);
    expect(result.err).toBe(
      "Nothing has been changed. Add --yes to make these changes without being asked.\n",
    );
    expect((await run(...always, "--dry-run")).code).toBe(0);
    expect(treeOf(bench.folder)).toEqual(before);
  });

  needs("script, of Linux", HAS_SCRIPT).it("ends with nothing changed by Ctrl+C and by Ctrl+D", async () => {
    const before = treeOf(bench.folder);
    const unchanged = { code: 1, out: expect.stringMatching(/\r\nNothing has been changed\.\r\n$/) };
    const all: [RegExp, string] = [/All features, or keep achievements\? \[A\/k\] /, "\r"];
    const first = await answer(always, all, [/Plain form or chest\? \[P\/c\] /, "\u0003"]);
    expect(first).toEqual(unchanged);
    expect(first.out).not.toContain("Changes:");
    const second = await answer(
      always,
      all,
      [/Plain form or chest\? \[P\/c\] /, "p\r"],
      [/Show everyone the list\? \[y\/N\] /, "\r"],
      [/Make these changes\? \[y\/N, b = /, "\u0004"],
    );
    expect(second).toEqual(unchanged);
    expect(treeOf(bench.folder)).toEqual(before);
  });

  needs("script, of Linux", HAS_SCRIPT).it("asks again after an invalid answer", async () => {
    const again = (words: string, question: string) => new RegExp(`${words}[^]*${question}`);
    const { code, out } = await answer(
      always,
      [again("permanently turns\\s+off achievements", "All features, or keep achievements\\?"), "all\r"],
      [again("say which player", "Plain form or chest\\?"), "y\r"],
      [again('"y" is not an answer: type plain or chest', "Plain form or chest\\?"), "CHEST\r"],
      [again("all past players", "Show everyone the list\\?"), "sure\r"],
      [again('"sure" is not an answer: type no or yes', "Show everyone the list\\?"), "n\r"],
      [again("Changes:", "Make these changes\\?"), "ja\r"],
      [again("type no or yes or backup", "Make these changes\\?"), "\r"],
    );
    expect([code, out]).toEqual([1, expect.stringContaining("link-form: buttons -> chest")]);
    expect(readdirSync(bench.server)).not.toContain("backups");
  });

  needs("script, of Linux", HAS_SCRIPT).it("asks about a world beside one that has the add-on", async () => {
    await run(...always, "--yes");
    const properties = bench.path("server.properties");
    writeFileSync(properties, setProperties(bench.read(properties), { "level-name": "Mistyped" }));
    cpSync(bench.world(""), bench.path("worlds/Mistyped"), { recursive: true });
    rmSync(bench.path("worlds/Mistyped/world_behavior_packs.json"));
    const before = treeOf(bench.server);
    const { code, out } = await answer(always, [
      /already in worlds\/[\s\S]+Set up "Mistyped"\? \[y\/N\] /,
      "\r",
    ]);
    expect([code, out]).toEqual([1, expect.stringContaining("Nothing has been changed.")]);
    expect(treeOf(bench.server)).toEqual(before);
    // Where nobody can be asked, the plan has a note.
    expect((await run(...always, "--dry-run")).out).toMatch(
      /^note: worlds\/.* has the add-on already, and level-name/m,
    );
  });

  it("prints its usage", async () => {
    expect(await run("--help")).toMatchObject({
      code: 0,
      out: expect.stringContaining("usage: npm run setup"),
    });
    const who = await run(...always, "--known-players", "friends");
    expect(who).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^--known-players: .+everybody, key, off/),
    });
    const both = [...always, "--dry-run", "--no-chest-form", "--chest-form"];
    for (const args of [[], ["--what"], [...always, "--json"], both])
      expect(await run(...args)).toMatchObject({ code: 2, out: "", err: expect.stringContaining("usage:") });
    expect((await run(...both)).err).toMatch(/^--chest-form and --no-chest-form: expected one of them\n/);
    const packs = await run("--server", "x", "--keep-achievements", "--all-features");
    expect([packs.code, packs.err]).toEqual([
      2,
      expect.stringMatching(/^--keep-achievements and --all-features: expected one of them\n/),
    ]);
    expect((await run("C:\\server", "--undo")).err).toMatch(
      /^C:\\server: is not expected here. Use: npm run setup -- --server "<folder>", with quotes/,
    );
  });
});

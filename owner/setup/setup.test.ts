import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { parse } from "jsonc-parser";
import { isFault } from "../../bds/fault.ts";
import { readLevelDat } from "../../bds/level-dat.ts";
import { FOREIGN_PACKS } from "../../scripts/make-server.mjs";
import { bench, freshBench, SCRIPT, timesOf, treeOf } from "../../test/helpers/server-setup.ts";
import { planLines } from "./output.ts";

const OWN = "0612fdb1-6896-42b9-b127-8e35632f6398";
const LIST = "world_behavior_packs.json";

freshBench("not made");

const json = (path: string): unknown => parse(bench.read(path));

function betaApis(): boolean {
  const level = readLevelDat(readFileSync(bench.world("level.dat")));
  return !isFault(level) && level.betaApis;
}

describe("setup", () => {
  it.each([
    ['[{"pack_id":"OWN","version":"0.1.0"}]', 'Web Bridge: version "0.1.0" -> [0,1,0]'],
    [
      '[{"pack_id":"OWN","version":[0,1,0]},{"pack_id":"OWN","version":[0,0,1]}]',
      "Web Bridge: listed more than once -> once",
    ],
  ])("says what changes in a list that already has the version: %s", async (list, line) => {
    await bench.make();
    await bench.setUp();
    writeFileSync(bench.world(LIST), list.replaceAll("OWN", OWN));
    await bench.setUp();
    expect(bench.lines).toContain(line);
    expect(json(bench.world(LIST))).toEqual([{ pack_id: OWN, version: [0, 1, 0] }]);
  });

  it("installs everything and leaves the rest of the server unchanged", async () => {
    await bench.make();
    const before = treeOf(bench.server);
    expect((await bench.setUp()).end).toBe("done");
    const after = treeOf(bench.server);
    const changed = Object.keys({ ...before, ...after }).filter(name => before[name] !== after[name]);
    expect(changed.filter(name => !name.startsWith("web-bridge-setup")).sort()).toEqual([
      "behavior_packs/web_bridge",
      "behavior_packs/web_bridge/manifest.json",
      "behavior_packs/web_bridge/scripts",
      "behavior_packs/web_bridge/scripts/main.js",
      SCRIPT,
      `${SCRIPT}/permissions.json`,
      `${SCRIPT}/secrets.json`,
      `${SCRIPT}/variables.json`,
      "server.properties",
      `worlds/${bench.levelName}/level.dat`,
      `worlds/${bench.levelName}/${LIST}`,
    ]);
    expect(json(bench.script("variables.json"))).toEqual({
      "bridge-url": "http://127.0.0.1:8081",
      "world-name": bench.levelName,
    });
    const token = bench.read(join(bench.folder, "sidecar/data/bridge-token")).trim();
    expect(json(bench.script("secrets.json"))).toEqual({ "bridge-token": token });
    expect(json(bench.world(LIST))).toEqual([
      { pack_id: FOREIGN_PACKS.behavior, version: [1, 2, 3] },
      { pack_id: OWN, version: [0, 1, 0] },
    ]);
    expect(bench.read(bench.path("server.properties"))).toContain(
      "content-log-console-output-enabled=true\r\n",
    );
    expect(betaApis()).toBe(true);
    expect(after[`${SCRIPT}/secrets.json`]).toMatch(/^file 600/);
    expect(after["web-bridge-setup"]).toBe("folder 700");
    expect(before[`worlds/${bench.levelName}/level.dat`]).toMatch(
      after["web-bridge-setup/level.dat.before-web-bridge"]?.slice(-64) ?? "no backup",
    );
  });

  it("changes nothing the second time, not even modification times", async () => {
    await bench.make();
    await bench.setUp();
    const [tree, times] = [treeOf(bench.server), timesOf(bench.server)];
    expect((await bench.setUp()).end).toBe("nothing");
    expect(treeOf(bench.server)).toEqual(tree);
    expect(timesOf(bench.server)).toEqual(times);
  });

  it("shows what it would do, without secrets, and does nothing before the owner agrees", async () => {
    await bench.make();
    const [tree, times] = [treeOf(bench.folder), timesOf(bench.folder)];
    bench.answer = false;
    expect((await bench.setUp()).end).toBe("declined");
    expect((await bench.setUp({ dryRun: true })).end).toBe("shown");
    expect(treeOf(bench.folder)).toEqual(tree);
    expect(timesOf(bench.folder)).toEqual(times);
    bench.answer = true;
    await bench.setUp();
    writeFileSync(join(bench.folder, "sidecar/data/bridge-token"), "another-token-that-is-secret\n");
    await bench.setUp();
    const lines = planLines(bench.plan).join("\n");
    expect(lines).toContain("bridge-token: (another) -> the sidecar's (hidden)");
    expect(lines).not.toContain("another-token");
    expect(bench.read(bench.script("secrets.json"))).toContain("another-token");
  });

  it("uses the token and the address in the sidecar's configuration", async () => {
    await bench.make();
    await bench.setUp();
    writeFileSync(bench.config, 'bridge:\n  host: "::"\n  port: 9000\n  token: "my own secret"\n');
    await expect(bench.setUp()).rejects.toThrow(/bridge.token/);
    writeFileSync(bench.config, "bridge:\n  host: 0.0.0.0\n  port: 9000\n  token: my-own-secret-token\n");
    await bench.setUp();
    expect(json(bench.script("variables.json"))).toEqual({
      "bridge-url": "http://127.0.0.1:9000",
      "world-name": bench.levelName,
    });
    expect(json(bench.script("secrets.json"))).toEqual({ "bridge-token": "my-own-secret-token" });
    expect(bench.read(bench.script("permissions.json"))).not.toContain("8081");
    writeFileSync(bench.config, "bridge.port: 0\n");
    await expect(bench.setUp({ bridgeUrl: "default" })).rejects.toThrow(/bridge.port: 0/);
  });

  it.each(["behavior_packs/my bridge", "development_behavior_packs/web_bridge"])(
    "upgrades an older version in %s where it is, and undo brings it back",
    async oldPack => {
      await bench.make({ oldPack });
      const before = treeOf(bench.server);
      await bench.setUp();
      const tree = treeOf(bench.server);
      expect(bench.read(bench.path(`${oldPack}/scripts/main.js`))).toContain("version 0.1.0");
      expect(tree[`${oldPack}/scripts/gone.js`]).toBeUndefined();
      expect(tree["behavior_packs/web_bridge"]).toBeUndefined();
      expect(json(bench.world(LIST))).toEqual([
        { pack_id: OWN, version: [0, 1, 0] },
        { pack_id: FOREIGN_PACKS.behavior, version: [1, 2, 3] },
      ]);
      expect((await bench.setUp()).end).toBe("nothing");
      await bench.undo();
      expect(treeOf(bench.server)).toEqual(before);
    },
  );
});

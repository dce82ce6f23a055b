import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "@jest/globals";
import { Bench, serversOwn, tornFiles, treeOf } from "../helpers/server-setup.ts";
import { dyingAt, quickDisk } from "./dying-disk.ts";

const built = (name: string): string => fileURLToPath(new URL(`../../dist/${name}`, import.meta.url));

it("the built setup survives fifty kills at random moments", async () => {
  const bench = await new Bench().make({ oldPack: "behavior_packs/old bridge" });
  bench.packs = { behavior: built("behavior_pack"), resource: built("resource_pack") };
  async function runFor(ms: number): Promise<void> {
    const args = [built("tools/setup.js"), "--server", bench.server, "--config", bench.config, "--yes"];
    const timeout = Math.ceil(ms);
    await once(spawn(process.execPath, args, { stdio: "ignore", timeout, killSignal: "SIGKILL" }), "exit");
  }
  const before = treeOf(bench.server);
  const restore = bench.save();
  const started = performance.now();
  await runFor(60_000);
  const takes = performance.now() - started;
  const whole = treeOf(bench.server);
  restore();
  for (let kill = 0; kill < 50; kill++) {
    await runFor(takes * (0.5 + 0.5 * Math.random()));
    expect(tornFiles(treeOf(bench.server), before, whole)).toEqual([]);
    if (kill % 2 === 0) {
      await bench.setUp();
      expect(serversOwn(treeOf(bench.server))).toEqual(serversOwn(whole));
    }
    await bench.undo();
    expect(treeOf(bench.server)).toEqual(before);
  }
});

it("setup loses nothing when it dies in bringing a newer version, or in undoing that", async () => {
  const bench = await new Bench().make({ oldPack: "behavior_packs/old bridge" });
  bench.disk = quickDisk;
  const before = treeOf(bench.server);
  await bench.setUp();
  const first = treeOf(bench.server);
  bench.buildPack([0, 2, 0], { "scripts/more.js": "// more\n" });
  const again = bench.save();
  await bench.setUp();
  const second = treeOf(bench.server);
  again();
  for (let step = 0; await dyingAt(bench, step, () => bench.setUp()); step++) {
    expect(tornFiles(treeOf(bench.server), first, second)).toEqual([]);
    await bench.undo();
    expect({ step, ...treeOf(bench.server) }).toEqual({ step, ...before });
    again();
  }
  again();
  let step = 0;
  for (; await dyingAt(bench, step, () => bench.undo()); step++) {
    expect(tornFiles(treeOf(bench.server), before, first)).toEqual([]);
    await bench.undo();
    expect({ step, ...treeOf(bench.server) }).toEqual({ step, ...before });
    again();
  }
  expect(step).toBeGreaterThan(40);
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "@jest/globals";
import { Bench, serversOwn, tornFiles, treeOf } from "../helpers/server-setup.ts";

const built = (name: string): string => fileURLToPath(new URL(`../../dist/${name}`, import.meta.url));

it("the built setup survives fifty kills at random moments", async () => {
  const bench = await new Bench().make({ oldPack: "behavior_packs/old bridge" });
  bench.packs = { behavior: built("behavior_pack"), resource: built("resource_pack") };
  async function runFor(ms: number): Promise<void> {
    const args = [built("tools/setup.js"), "--server", bench.server, "--config", bench.config, "--yes"];
    const child = spawn(process.execPath, args, { stdio: "ignore" });
    const ended = once(child, "exit");
    await Promise.race([sleep(ms), ended]);
    child.kill("SIGKILL");
    await ended;
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
  bench.remove();
});

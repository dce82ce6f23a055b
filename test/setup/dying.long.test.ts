import { beforeEach, describe, expect, it } from "@jest/globals";
import { Bench, serversOwn, type Tree, tornFiles, treeOf } from "../helpers/server-setup.ts";
import { dyingAt, quickDisk } from "./dying-disk.ts";

const OLD_PACK = "behavior_packs/old bridge";

let bench: Bench;
let restore: () => void;
let before: Tree;
let after: Tree;

beforeEach(async () => {
  bench = await new Bench().make({ oldPack: OLD_PACK });
  bench.disk = quickDisk;
  before = treeOf(bench.server);
  restore = bench.save();
  await bench.setUp();
  after = treeOf(bench.server);
  restore();
});

describe("setup that dies", () => {
  it("leaves every file old or new at each of its steps, and can be run again or undone", async () => {
    let step = 0;
    for (let died = true; died; step++) {
      died = await dyingAt(bench, step, () => bench.setUp());
      expect(tornFiles(treeOf(bench.server), before, after)).toEqual([]);
      if (step % 2 === 0) {
        await bench.setUp();
        expect(serversOwn(treeOf(bench.server))).toEqual(serversOwn(after));
      }
      await bench.undo();
      expect({ step, ...treeOf(bench.server) }).toEqual({ step, ...before });
    }
    expect(step).toBeGreaterThan(60);
  });
});

import { chmodSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type Disk, systemDisk } from "../../owner/setup/disk.ts";
import { Bench, serversOwn, type Tree, tornFiles, treeOf } from "../helpers/server-setup.ts";

const OLD_PACK = "behavior_packs/old bridge";

/** The real disk without waiting for it: a process that is killed takes nothing with it that it has written. */
const quickDisk: Disk = {
  ...systemDisk,
  create: (path, bytes, mode) => {
    writeFileSync(path, bytes, { flag: "wx", mode });
    chmodSync(path, mode);
  },
  flush: () => {},
};

/** A disk that stops for good at its nth change, in the middle of it where it is a file that is written. */
function dyingDisk(n: number): { disk: Disk; changes: () => number } {
  let changes = 0;
  const step = (path?: string, bytes?: Uint8Array): void => {
    if (changes++ < n) return;
    if (changes === n + 1 && path !== undefined && bytes !== undefined)
      writeFileSync(path, bytes.subarray(0, bytes.length / 2));
    throw new Error("killed");
  };
  const guarded =
    <A extends unknown[], R>(act: (...args: A) => R) =>
    (...args: A): R => {
      step();
      return act(...args);
    };
  const disk: Disk = {
    ...quickDisk,
    create: (path, bytes, mode) => {
      step(path, bytes);
      quickDisk.create(path, bytes, mode);
    },
    makeFolder: guarded(systemDisk.makeFolder),
    removeFolder: guarded(systemDisk.removeFolder),
    rename: guarded(systemDisk.rename),
    link: guarded(systemDisk.link),
    remove: guarded(systemDisk.remove),
  };
  return { disk, changes: () => changes };
}

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
afterEach(() => bench.remove());

async function dyingAt(n: number, act: () => Promise<unknown>): Promise<boolean> {
  const { disk, changes } = dyingDisk(n);
  bench.disk = disk;
  await act().catch(() => undefined);
  bench.disk = quickDisk;
  return changes() > n;
}

describe("setup that dies", () => {
  it("leaves every file old or new at each of its steps, and can be run again or undone", async () => {
    let step = 0;
    for (let died = true; died; step++) {
      died = await dyingAt(step, () => bench.setUp());
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

  it("loses nothing when it dies in bringing a newer version, or in undoing that", async () => {
    await bench.setUp();
    const first = treeOf(bench.server);
    bench.buildPack([0, 2, 0], { "scripts/more.js": "// more\n" });
    const again = bench.save();
    await bench.setUp();
    const second = treeOf(bench.server);
    again();
    for (let step = 0; await dyingAt(step, () => bench.setUp()); step++) {
      expect(tornFiles(treeOf(bench.server), first, second)).toEqual([]);
      await bench.undo();
      expect({ step, ...treeOf(bench.server) }).toEqual({ step, ...before });
      again();
    }
    again();
    let step = 0;
    for (; await dyingAt(step, () => bench.undo()); step++) {
      expect(tornFiles(treeOf(bench.server), before, first)).toEqual([]);
      await bench.undo();
      expect({ step, ...treeOf(bench.server) }).toEqual({ step, ...before });
      again();
    }
    expect(step).toBeGreaterThan(40);
  });
});

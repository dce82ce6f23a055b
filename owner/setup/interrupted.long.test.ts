import { writeFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { Bench, serversOwn, type Tree, tornFiles, treeOf } from "../../test/helpers/server-setup.ts";
import { type Disk, draftPath, systemDisk } from "./disk.ts";
import { inWords } from "./output.ts";

/** A disk that ends with an error at its nth change, and all later ones; half of a file that was being written is there. */
function dyingDisk(n: number, error: (path: string) => Error): { disk: Disk; changes: () => number } {
  let changes = 0;
  const guarded =
    <A extends unknown[]>(
      act: (path: string, ...rest: A) => void,
      half?: (path: string, ...rest: A) => void,
    ) =>
    (path: string, ...rest: A): void => {
      if (changes++ >= n) {
        if (changes === n + 1) half?.(path, ...rest);
        throw error(path);
      }
      act(path, ...rest);
    };
  const disk: Disk = {
    ...systemDisk,
    makeFolder: guarded(systemDisk.makeFolder),
    removeFolder: guarded(systemDisk.removeFolder),
    write: guarded(systemDisk.write, (path, bytes) =>
      writeFileSync(draftPath(path), bytes.subarray(bytes.length / 2)),
    ),
    remove: guarded(systemDisk.remove),
  };
  return { disk, changes: () => changes };
}

const killed = (): Error => new Error("killed");

/** Lets an act end at its nth change; why it did, or undefined when it came to its end. */
async function endedAt(
  bench: Bench,
  n: number,
  act: () => Promise<unknown>,
  error = killed,
): Promise<unknown> {
  const { disk, changes } = dyingDisk(n, error);
  bench.disk = disk;
  const why = await act().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  bench.disk = systemDisk;
  return changes() > n ? (why ?? "ended in spite of it") : undefined;
}

let bench: Bench;
let before: Tree;
let fresh: () => void;
beforeEach(async () => {
  bench = await new Bench().make({ oldPack: "behavior_packs/old bridge" });
  before = treeOf(bench.server);
  fresh = bench.save();
});

describe("setup that is interrupted at any of its steps", () => {
  it("leaves every file old or new, and can be run again or undone", async () => {
    await bench.setUp();
    const after = treeOf(bench.server);
    fresh();
    let step = 0;
    for (; (await endedAt(bench, step, () => bench.setUp())) !== undefined; step++) {
      expect(tornFiles(treeOf(bench.server), before, after)).toEqual([]);
      if (step % 2 === 0) {
        await bench.setUp();
        expect(serversOwn(treeOf(bench.server))).toEqual(serversOwn(after));
      }
      await bench.undo();
      expect({ step, ...treeOf(bench.server) }).toEqual({ step, ...before });
    }
    expect(step).toBeGreaterThan(20);
  });

  it.each([
    ["ENOSPC", /the disk is full: free some space and run setup again/],
    ["EROFS", /the disk is read-only/],
    ["EBUSY", /(it is mounted by itself|another program has it open).*, and run setup again/],
  ])("says why, and is completed by another run, on a disk that fails with %s", async (code, reason) => {
    await bench.setUp();
    const after = treeOf(bench.server);
    const error = (path: string): Error => Object.assign(new Error(code), { code, path });
    for (const step of [0, 3, 7, 12]) {
      fresh();
      expect(inWords(await endedAt(bench, step, () => bench.setUp(), error as typeof killed))).toMatch(
        reason,
      );
      expect((await bench.setUp()).end).toBe("done");
      expect(serversOwn(treeOf(bench.server))).toEqual(serversOwn(after));
    }
  });
});

it("installing a newer version, or undoing that, loses nothing when it is interrupted", async () => {
  await bench.setUp();
  const first = treeOf(bench.server);
  bench.buildPack([0, 2, 0], { "scripts/more.js": "// more\n" });
  const again = bench.save();
  await bench.setUp();
  const second = treeOf(bench.server);
  again();
  for (let step = 0; (await endedAt(bench, step, () => bench.setUp())) !== undefined; step++) {
    expect(tornFiles(treeOf(bench.server), first, second)).toEqual([]);
    await bench.undo();
    expect({ step, ...treeOf(bench.server) }).toEqual({ step, ...before });
    again();
  }
  again();
  let step = 0;
  for (; (await endedAt(bench, step, () => bench.undo())) !== undefined; step++) {
    expect(tornFiles(treeOf(bench.server), before, first)).toEqual([]);
    await bench.undo();
    expect({ step, ...treeOf(bench.server) }).toEqual({ step, ...before });
    again();
  }
  expect(step).toBeGreaterThan(20);
});

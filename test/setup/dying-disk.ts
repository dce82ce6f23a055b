import { chmodSync, writeFileSync } from "node:fs";
import { type Disk, systemDisk } from "../../owner/setup/disk.ts";
import type { Bench } from "../helpers/server-setup.ts";

/** The real disk without waiting for it: a process that is killed takes nothing with it that it has written. */
export const quickDisk: Disk = {
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

/** Lets an act die at its nth change; whether it did. */
export async function dyingAt(bench: Bench, n: number, act: () => Promise<unknown>): Promise<boolean> {
  const { disk, changes } = dyingDisk(n);
  bench.disk = disk;
  await act().catch(() => undefined);
  bench.disk = quickDisk;
  return changes() > n;
}

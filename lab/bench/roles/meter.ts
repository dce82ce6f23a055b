import { setTimeout as sleep } from "node:timers/promises";

const COLLECTIONS = 4;
const SETTLE_MS = 150;

/** Lets the parent read what this process uses. */
export const meter = {
  /** CPU time of this process so far, in microseconds */
  cpu(): number {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  /** resident memory in bytes, once garbage is collected and the memory it held is given back */
  async resident(): Promise<number> {
    for (let i = 0; i < COLLECTIONS; i++) {
      globalThis.gc?.();
      await sleep(SETTLE_MS);
    }
    return process.memoryUsage.rss();
  },
};
export type Meter = typeof meter;

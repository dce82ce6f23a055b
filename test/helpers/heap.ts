import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Bytes on the heap of this process, which is that of the sidecar, once requests are through and garbage is gone. */
export async function ownHeap(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    await nextTurn();
    collect();
  }
  return process.memoryUsage().heapUsed;
}

import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 20;
/** For a busy machine: it measures nothing. */
const PATIENCE_MS = 60_000;

/** Waits until the check says yes. @throws `fault` when patience ends */
export async function until(check: () => Promise<boolean>, fault: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error(fault);
    await sleep(LOOK_MS);
  }
}

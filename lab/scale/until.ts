import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 20;
/** Long enough for a busy machine; it measures nothing. */
const UNTIL_TIMEOUT_MS = 60_000;

/** Waits until the check returns true. @throws `fault` after a time limit */
export async function until(check: () => Promise<boolean>, fault: string): Promise<void> {
  const deadline = performance.now() + UNTIL_TIMEOUT_MS;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error(fault);
    await sleep(LOOK_MS);
  }
}

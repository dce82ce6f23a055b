import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Kills processes that still run. */
export async function ended(...children: (ChildProcess | undefined)[]): Promise<void> {
  for (const child of children) {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) continue;
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
  }
}

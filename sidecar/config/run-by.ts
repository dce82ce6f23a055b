import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Name of the file in the storage folder in which setup and doctor find what runs the sidecar. */
export const RUN_BY_FILE = "run-by";

/**
 * Notes what runs this sidecar, or that it was started by hand. One that cannot be noted is no fault.
 * @param by what the recipe says; undefined: nothing
 */
export function noteRunBy(folder: string, by: string | undefined): void {
  const path = join(folder, RUN_BY_FILE);
  try {
    if (by === undefined) rmSync(path, { force: true });
    else writeFileSync(path, `${by}\n`);
  } catch {
    // Advice for somebody who starts it by hand is still understood.
  }
}

import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Root of the repository, absolute. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

/** The compiler. The package `typescript` is its older API, which the check of imports needs. */
export const TSC = join(ROOT, "node_modules/typescript-7/bin/tsc");

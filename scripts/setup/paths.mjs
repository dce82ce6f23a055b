import { fileURLToPath } from "node:url";

/** Root of the repository, absolute. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

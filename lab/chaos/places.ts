import { fileURLToPath } from "node:url";

// The command runs as one file in dist/tools.
const built = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

export const PACK = built("behavior_pack/scripts/main.js");
export const SIDECAR = built("sidecar/main.js");

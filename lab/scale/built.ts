import { fileURLToPath } from "node:url";

/** A path in `dist` or above it. Each program is one file in dist/tools. */
export const built = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

export const PACK = built("behavior_pack/scripts/main.js");
export const STABLE_PACK = built("behavior_pack_stable/scripts/main.js");
export const SIDECAR = built("sidecar/main.js");

import { fileURLToPath } from "node:url";

/** The path of something in `dist`, or above it. The programs run as one file each in dist/tools. */
export const built = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

export const PACK = built("behavior_pack/scripts/main.js");
export const SIDECAR = built("sidecar/main.js");

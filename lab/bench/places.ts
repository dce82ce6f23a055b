import { fileURLToPath } from "node:url";

// The benchmarks run as one file in dist/tools.
const built = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

export const SELF = fileURLToPath(import.meta.url);
export const PACK = built("behavior_pack/scripts/main.js");
export const BARE_SCRIPT = built("tools/script.js");
export const SIDECAR = built("sidecar/main.js");
export const FIGURES = built("../docs/figures.json");
export const PAGE_FILE = built("../docs/scaling.md");
export const PERFORMANCE_FIGURES = built("../docs/performance.json");
export const PERFORMANCE_PAGE = built("../docs/performance.md");
export const PERFORMANCE_PICTURE = built("../docs/performance.svg");
export const ROOT = built("..");

import { fileURLToPath } from "node:url";
import { built } from "../scale/built.ts";

export const SELF = fileURLToPath(import.meta.url);
export const BARE_SCRIPT = built("tools/script.js");
export const FIGURES = built("../docs/figures.json");
export const PAGE_FILE = built("../docs/scaling.md");
export const PERFORMANCE_FIGURES = built("../docs/performance.json");
export const PERFORMANCE_PAGE = built("../docs/performance.md");
export const PERFORMANCE_PICTURE = built("../docs/performance.svg");
export const ROOT = built("..");

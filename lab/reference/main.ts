import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readConfig } from "../../sidecar/config/read.ts";
import { asyncApi } from "../../sidecar/contracts/asyncapi.ts";
import { openApi } from "../../sidecar/contracts/openapi.ts";
import { referencePage } from "./page.ts";

// The program is one file in dist/tools.
const target = fileURLToPath(new URL("../../docs/reference.md", import.meta.url));
const read = readConfig("", {}, process.cwd());
if ("faults" in read) throw new Error(read.faults.join("\n"));
const { api } = read.config.modules;
writeFileSync(target, referencePage(openApi(api), asyncApi(api)));
console.log(`wrote ${target}`);

import { readFileSync } from "node:fs";
import { readConfig } from "../../sidecar/config/read.ts";
import { asyncApi } from "../../sidecar/features/docs/asyncapi.ts";
import { openApi } from "../../sidecar/routes.ts";
import { referencePage } from "./page.ts";

// Prints the page that the archive has beside the other documents. The program is one file in dist/tools.
const asset = (name: string): string =>
  readFileSync(new URL(`../web/assets/${name}`, import.meta.url), "utf8");
const read = readConfig("", {}, process.cwd());
if ("faults" in read) throw new Error(read.faults.join("\n"));
const { api } = read.config.modules;
process.stdout.write(referencePage(openApi(api), asyncApi(api), asset("docs.css"), asset("docs.js")));

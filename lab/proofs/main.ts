import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { probes } from "../../owner/prove/probes/all.ts";
import { madeFrom } from "./pages.ts";
import { PROOFS } from "./proofs.ts";

// The program is one file in dist/tools.
const root = new URL("../../", import.meta.url);
const at = (path: string): string => fileURLToPath(new URL(path, root));
const read = (path: string): string => readFileSync(at(path), "utf8");
const files = readdirSync(at(PROOFS), { recursive: true, encoding: "utf8" })
  .map(name => `${PROOFS}/${name.replaceAll("\\", "/")}`)
  .filter(path => path.endsWith(".json"));

for (const [path, text] of madeFrom(new Map(files.map(path => [path, read(path)])), read, probes)) {
  writeFileSync(at(path), text);
  console.log(`wrote ${path}`);
}

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT, TSC } from "./paths.mjs";
import { runNode } from "./run.mjs";

const STEPS = [
  { name: "types", args: [TSC, "-b"] },
  {
    name: "imports between rooms",
    args: [join(ROOT, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs"), "."],
  },
  { name: "lint and format", args: [join(ROOT, "node_modules/@biomejs/biome/bin/biome"), "check", "."] },
];

/**
 * Checks types, imports, lint and format.
 * @returns {Promise<string[]>} names of the steps that failed; what they found has been shown
 */
export async function check() {
  const failed = [];
  for (const { name, args } of STEPS) {
    const code = await runNode(args, process.env, ROOT);
    console.log(`${name}: ${code === 0 ? "fine" : "FAILED"}`);
    if (code !== 0) failed.push(name);
  }
  return failed;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = (await check()).length > 0 ? 1 : 0;

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "./setup/paths.mjs";
import { runNode } from "./setup/run.mjs";

const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
const biome = join(ROOT, "node_modules/@biomejs/biome/bin/biome");

/** Every room has its own compiler settings, so that none can use what its runtime lacks. */
const STEPS = [
  ...["shared", "behavior_pack", "simulator/guest", "client", "web", "demo/page", "."].map(room => ({
    name: `types of ${room === "." ? "everything else" : room}`,
    args: [tsc, "-p", room],
  })),
  { name: "lint and format", args: [biome, "check", "."] },
];

/**
 * Checks types, lint and format.
 * @returns {Promise<string[]>} names of the steps that failed; what they found has been shown
 */
export async function check() {
  const failed = [];
  for (const step of STEPS) {
    const code = await runNode(step.args, process.env, ROOT);
    console.log(`${step.name}: ${code === 0 ? "fine" : "FAILED"}`);
    if (code !== 0) failed.push(step.name);
  }
  return failed;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = (await check()).length > 0 ? 1 : 0;
}

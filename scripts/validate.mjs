import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { ROOT } from "./setup/paths.mjs";

/**
 * Runs the official validator for packs on the packs that were built. It is not among the dependencies, since it takes
 * more than 300 MB. One of its checks is left out: CHKMANIF knows neither the server's modules nor the version "beta".
 */
const TOOL = "@minecraft/creator-tools";
const SUITE = ["validate", "main", "CHKMANIF"];
const HOW = `The validator is not here. Get it, and run this again:
  npm install --global ${TOOL}
or name where it is:
  npm run validate -- <folder of an installation that holds node_modules/${TOOL}>`;

/**
 * The program of the tool: in a folder that was named, or where global installations put it.
 * @param {string | undefined} folder
 * @returns {string | undefined}
 */
function findTool(folder) {
  const bins = (process.env.PATH ?? "").split(delimiter);
  const modules =
    folder === undefined
      ? bins.flatMap(bin => [join(bin, "node_modules"), join(bin, "../lib/node_modules")])
      : [join(folder, "node_modules"), folder];
  return modules.map(place => join(place, TOOL, "cli/index.mjs")).find(path => existsSync(path));
}

const tool = findTool(process.argv[2]);
if (tool === undefined) {
  console.error(HOW);
  process.exitCode = 1;
} else {
  const project = mkdtempSync(join(tmpdir(), "web-bridge-validate-"));
  for (const kind of ["behavior_pack", "resource_pack"]) {
    const target = join(project, "in", `${kind}s`, "web_bridge");
    mkdirSync(target, { recursive: true });
    cpSync(join(ROOT, "dist", kind), target, { recursive: true });
  }
  const args = [tool, ...SUITE, "-i", join(project, "in"), "-o", join(project, "out"), "--threads", "1"];
  const code = await new Promise(resolve =>
    spawn(process.execPath, args, { cwd: project, stdio: "inherit" }).once("close", resolve),
  );
  rmSync(project, { recursive: true, force: true });
  console.log(code === 0 ? "the validator has no objections" : "the validator objects: see above");
  process.exitCode = code === 0 ? 0 : 1;
}

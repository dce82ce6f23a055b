import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "./setup/paths.mjs";
import { releasedFiles, releaseSteps } from "./versions.mjs";

const USAGE = `usage: npm run release -- <version> [--date <date>] [--commit]

  <version>      for example 1.2.3; not older than the version of package.json
  --date <date>  what CHANGELOG.md says (today, in UTC)
  --commit       commit and tag as well

Sets the version, gives CHANGELOG.md a heading for it, and makes the packages. Nothing is pushed.`;

/** @param {string} line @param {number} code @returns {never} */
function refuse(line, code) {
  console.error(line);
  process.exit(code);
}

/** @param {string[]} args */
function git(...args) {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: ROOT, encoding: "utf8" });
  if (status !== 0) refuse(`git ${args[0]}: ${stderr}`, 1);
  return stdout;
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        date: { type: "string", default: new Date().toISOString().slice(0, 10) },
        commit: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : error}\n\n${USAGE}`, 2);
  }
}

const { values, positionals } = readArguments();
const [version = ""] = positionals;
if (positionals.length !== 1) refuse(USAGE, 2);
if (git("status", "--porcelain") !== "") refuse("there are changes that are not committed: git status", 1);
const files = releasedFiles(path => readFileSync(join(ROOT, path), "utf8"), version, values.date);
if ("fault" in files) refuse(files.fault, 1);
for (const [path, text] of Object.entries(files)) writeFileSync(join(ROOT, path), text);

const making = [join(ROOT, "scripts/bootstrap.mjs"), "package"];
if (spawnSync(process.execPath, making, { cwd: ROOT, stdio: "inherit" }).status !== 0)
  refuse("the packages could not be made. Take the new version back with: git checkout -- .", 1);
console.log(`\n${readFileSync(join(ROOT, "dist/packages/SHA256SUMS"), "utf8")}`);

const steps = releaseSteps(version, Object.keys(files));
if (values.commit) for (const step of steps) git(...step);
const quoted = steps.map(step => ["git", ...step.map(one => (/\s/.test(one) ? `"${one}"` : one))].join(" "));
const left = ["git push --follow-tags"];
console.log(["To finish:", ...(values.commit ? left : [...quoted, ...left])].join("\n  "));

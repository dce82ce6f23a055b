// `npm version <version>` runs this once package.json has the new version, and commits staged files.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./paths.mjs";

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${version}: expected a version such as 1.2.3`);
if (!readFileSync(join(ROOT, "CHANGELOG.md"), "utf8").includes(`\n## ${version}: `))
  throw new Error(`CHANGELOG.md has no heading "## ${version}: …"`);

const inManifest = `"version": [${version.replaceAll(".", ", ")}]`;
/** @type {[path: string, is: RegExp, becomes: string][]} */
const PLACES = [
  ["shared/version.ts", /PRODUCT_VERSION = "[^"]+"/, `PRODUCT_VERSION = "${version}"`],
  ["manifest.json", /"version": \[[\d, ]+\]/g, inManifest],
  ["resource_pack/manifest.json", /"version": \[[\d, ]+\]/g, inManifest],
];
for (const [path, is, becomes] of PLACES) {
  const file = join(ROOT, path);
  writeFileSync(file, readFileSync(file, "utf8").replace(is, becomes));
}
execFileSync("git", ["add", ...PLACES.map(([path]) => path)], { cwd: ROOT, stdio: "inherit" });

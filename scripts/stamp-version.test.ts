import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "@jest/globals";
import { newFolder } from "../test/helpers/folder.ts";
import { ROOT } from "../test/package/packages.ts";

const COPIED = [
  "scripts/stamp-version.mjs",
  "scripts/paths.mjs",
  "shared/version.ts",
  "manifest.json",
  "resource_pack/manifest.json",
];

/** Output of the script for a version, in a copy of the files that it reads. */
function stamp(version: string, changelog: string) {
  const folder = newFolder("version-");
  for (const path of COPIED) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(ROOT, path), join(folder, path));
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ version }));
  writeFileSync(join(folder, "CHANGELOG.md"), changelog);
  const git = (...args: string[]) => spawnSync("git", args, { cwd: folder, encoding: "utf8" });
  git("init");
  const { status, stderr } = spawnSync(process.execPath, [join(folder, "scripts/stamp-version.mjs")], {
    encoding: "utf8",
  });
  const read = (path: string): string => readFileSync(join(folder, path), "utf8");
  return { status, stderr, read, staged: git("diff", "--cached", "--name-only").stdout.trim().split("\n") };
}

it("a new version is written to both packs and to the announced version, and is staged", () => {
  const { status, stderr, read, staged } = stamp("77.8.9", "# Changelog\n\n## 77.8.9: faster\n");
  expect([status, stderr]).toEqual([0, ""]);
  for (const path of ["manifest.json", "resource_pack/manifest.json"]) {
    const { header, modules } = JSON.parse(read(path));
    expect([header.version, modules[0].version]).toEqual([
      [77, 8, 9],
      [77, 8, 9],
    ]);
    expect(header.min_engine_version).toEqual([1, 26, 40]);
  }
  expect(read("shared/version.ts")).toContain('PRODUCT_VERSION = "77.8.9"');
  expect(staged).toEqual(["manifest.json", "resource_pack/manifest.json", "shared/version.ts"]);
});

it.each([
  ["1.2.3-beta", "## 1.2.3-beta: x", "expected a version such as 1.2.3"],
  ["1.2.3", "## 1.2.2: x", 'CHANGELOG.md has no heading "## 1.2.3: …"'],
])("the version %s with the changelog %s is rejected", (version, changelog, says) => {
  const { status, stderr } = stamp(version, `# Changelog\n\n${changelog}\n`);
  expect([status, stderr]).toEqual([1, expect.stringContaining(says)]);
});

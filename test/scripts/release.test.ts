import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { releasedFiles, releaseSteps } from "../../scripts/versions.mjs";
import { PRODUCT_VERSION } from "../../shared/version.ts";
import { newFolder } from "../helpers/folder.ts";

const real = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
/** The real files, with another CHANGELOG. */
const withChanges = (text: string) => (path: string) => (path === "CHANGELOG.md" ? text : real(path));
const CHANGES = withChanges("# Changelog\n\n## Unreleased\n\n- A change.\n\n## 0.0.1, 2026-01-01\n");
const release = (read: (path: string) => string, version: string, date = "2027-01-31") =>
  releasedFiles(read, version, date) as Record<string, string>;

describe("a release", () => {
  it("sets the version wherever the product says its own", () => {
    const files = release(CHANGES, "77.8.9");
    expect(JSON.parse(files["package.json"] ?? "").version).toBe("77.8.9");
    const lock = JSON.parse(files["package-lock.json"] ?? "");
    const before = JSON.parse(real("package-lock.json"));
    expect([lock.version, lock.packages[""].version]).toEqual(["77.8.9", "77.8.9"]);
    expect({ ...lock, version: "", packages: { ...lock.packages, "": {} } }).toEqual({
      ...before,
      version: "",
      packages: { ...before.packages, "": {} },
    });
    for (const path of ["manifest.json", "resource_pack/manifest.json"]) {
      const { header, modules } = JSON.parse(files[path] ?? "");
      expect([path, [header.version, modules[0].version]]).toEqual([
        path,
        [
          [77, 8, 9],
          [77, 8, 9],
        ],
      ]);
    }
    for (const path of ["shared/version.ts", "README.md", "SECURITY.md"]) {
      expect([path, files[path]]).toEqual([path, expect.stringContaining("77.8.9")]);
      expect([path, files[path]]).toEqual([path, expect.not.stringContaining(PRODUCT_VERSION)]);
    }
  });

  it("moves what is unreleased under the version and its date", () => {
    expect(release(CHANGES, "77.8.9")["CHANGELOG.md"]).toBe(
      "# Changelog\n\n## Unreleased\n\n## 77.8.9, 2027-01-31\n\n- A change.\n\n## 0.0.1, 2026-01-01\n",
    );
  });

  it("may be the first of the version that stands there already", () => {
    expect(release(CHANGES, PRODUCT_VERSION)["package.json"]).toBe(real("package.json"));
  });

  it.each([
    ["1.2", "2027-01-31", "1.2: expected a version such as 1.2.3"],
    ["77.8.9", "tomorrow", "tomorrow: expected a date such as 2027-01-31"],
    ["0.0.9", "2027-01-31", `0.0.9 is older than ${PRODUCT_VERSION}`],
  ])("refuses %s on %s", (version, date, fault) => {
    expect(release(CHANGES, version, date)).toEqual({ fault });
  });

  it("refuses to make a version again, and one without a change", () => {
    const done = withChanges("# Changelog\n\n## Unreleased\n\n- A change.\n\n## 77.8.9, 2026-01-01\n");
    expect(release(done, "77.8.9")).toEqual({ fault: "CHANGELOG.md has 77.8.9 already" });
    const none = withChanges("# Changelog\n\n## Unreleased\n\n## 0.0.1, 2026-01-01\n");
    expect(release(none, "77.8.9")).toEqual({ fault: "CHANGELOG.md has nothing under Unreleased" });
  });

  it("commits the files that it has written, and no other edit", () => {
    const folder = newFolder("release ");
    try {
      const git = (...args: string[]): string => {
        const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
        const { status, stdout, stderr } = spawnSync("git", [...identity, ...args], {
          cwd: folder,
          encoding: "utf8",
        });
        expect([args[0], status, stderr]).toEqual([args[0], 0, expect.any(String)]);
        return stdout;
      };
      git("init");
      const names = ["package.json", "README.md", "main.ts"];
      for (const text of ["before", "after"]) {
        for (const name of names) writeFileSync(join(folder, name), text);
        if (text === "before") git("add", ".");
        if (text === "before") git("commit", "-m", "begin");
      }
      for (const step of releaseSteps("1.2.3", names.slice(0, 2))) git(...step);
      expect(git("show", "--format=%s", "--name-only", "v1.2.3^{commit}").trim().split(/\n+/)).toEqual([
        "release: make 1.2.3",
        "README.md",
        "package.json",
      ]);
      expect(git("status", "--porcelain")).toBe(" M main.ts\n");
    } finally {
    }
  });
});

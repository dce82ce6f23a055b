import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { packagesOf } from "../../scripts/package/bundled.mjs";
import { neededBy } from "../../scripts/package/native.mjs";
import { noticesFile } from "../../scripts/package/notices.mjs";
import { PLATFORMS, platformsFor } from "../../scripts/package/platforms.mjs";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/runner.ts";
import { ROOT } from "./packages.ts";

const locked = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")).packages;

describe("libsql for a platform", () => {
  it.each(Object.keys(PLATFORMS))("is complete in the lock file for %s", platform => {
    const needed = neededBy(platform, locked);
    const natives = Object.keys(needed).filter(path => path.startsWith("node_modules/@libsql/"));
    expect(natives).toHaveLength(platform.startsWith("linux") ? 2 : 1);
    for (const path of natives) expect(path).toContain(platform);
    expect(Object.keys(needed)).toContain("node_modules/@neon-rs/load");
    for (const { version } of Object.values(needed)) expect(version).toMatch(/^\d/);
  });

  it("is refused when the lock file lacks a part of it", () => {
    expect(() => neededBy("linux-x64", {})).toThrow("package-lock.json has no libsql");
  });
});

describe("--platform", () => {
  it("takes a name or all, and nothing else", () => {
    expect(platformsFor("win32-x64")).toEqual(["win32-x64"]);
    expect(platformsFor("all")).toEqual(Object.keys(PLATFORMS));
    expect(platformsFor("toString")).toBeUndefined();
  });

  it("ends with the usage when it is wrong", () => {
    const args = [join(ROOT, "scripts/package.mjs"), "--platform", "amiga-68k"];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^--platform amiga-68k: expected win32-x64, /);
  });
});

describe("the packages of a bundle", () => {
  it("are told by their files, however deep they lie", () => {
    const files = [
      "node_modules/ws/index.js",
      "node_modules\\@x\\y\\lib\\z.js",
      "node_modules/ws/lib/receiver.js",
      "sidecar/main.ts",
    ];
    expect(packagesOf(files)).toEqual(["node_modules/@x/y", "node_modules/ws"]);
  });

  it("are told apart from those of the same name in another package", () => {
    const files = ["node_modules/b/node_modules/ms/index.js", "node_modules/ms/index.js"];
    expect(packagesOf(files)).toEqual(["node_modules/b/node_modules/ms", "node_modules/ms"]);
  });
});

describe("the notices", () => {
  it("are in order, and say so when a package has no text", () => {
    const text = noticesFile([
      { name: "b", version: "1.0.0", license: "ISC", texts: ["Text of b"] },
      { name: "a", version: "2.0.0", license: "MIT", texts: [] },
    ]);
    expect(text).toMatch(
      /a 2\.0\.0\nLicence: MIT[\s\S]*no text of its licence[\s\S]*b 1\.0\.0[\s\S]*Text of b/,
    );
  });
});

needs("a shell, not Windows", process.platform !== "win32").describe("start.sh", () => {
  const script = join(ROOT, "scripts/package/files/start.sh");
  let folder: string;
  beforeEach(() => {
    folder = newFolder("start-");
  });

  const start = (node: string): { status: number | null; stderr: string } =>
    spawnSync("sh", [script], { env: { PATH: process.env.PATH, NODE: node }, encoding: "utf8" });

  it("says what is missing when there is no Node", () => {
    const { status, stderr } = start(join(folder, "node"));
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Node is missing\. Install Node 20\.19 or later from https:\/\/nodejs\.org/);
  });

  it("names the version of a Node that is too old", () => {
    const node = join(folder, "node");
    writeFileSync(node, '#!/bin/sh\n[ "$1" = --version ] && echo v18.20.0 && exit 0\nexit 1\n', {
      mode: 0o755,
    });
    const { status, stderr } = start(node);
    expect(status).toBe(1);
    expect(stderr).toContain(`Node 20.19 or later is needed, and ${node} is v18.20.0`);
  });
});

describe("start.cmd", () => {
  const text = readFileSync(join(ROOT, "scripts/package/files/start.cmd"), "utf8");

  it("is plain ASCII and jumps only to labels that it has", () => {
    expect(text).toMatch(/^[\n\x20-\x7e]*$/);
    const labels = [...text.matchAll(/^:(\w+)$/gm)].map(([, label]) => label);
    const jumps = [...text.matchAll(/\bgoto (\w+)/g)].map(([, label]) => label);
    expect(new Set(jumps)).toEqual(new Set(labels.filter(label => jumps.includes(label))));
  });

  it("stays open on any fault, and not when the sidecar has ended in order or by Ctrl+C", () => {
    const after = text.slice(text.indexOf("main.js --config"));
    expect(after.indexOf("if %ended%==0 exit /b 0")).toBeLessThan(after.indexOf("goto stay"));
    // What Windows has for a program that Ctrl+C has ended: 0xC000013A.
    expect(after).toContain(`if %ended%==${0xc000013a | 0} exit /b %ended%`);
    expect(after.slice(after.indexOf(":stay"))).toMatch(/pause\nexit \/b %ended%\s*$/);
  });
});

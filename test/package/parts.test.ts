import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { packagesOf } from "../../scripts/bundle.mjs";
import { noticesOf } from "../../scripts/notices.mjs";
import { newFolder } from "../helpers/folder.ts";
import { ROOT } from "./packages.ts";

it("npm run package prints its usage when called with other arguments", () => {
  const args = [join(ROOT, "scripts/package.mjs"), "--platform", "all"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/^Unknown option '--platform'[\s\S]*\nusage: /),
  ]);
});

describe("the packages of a bundle", () => {
  it("are found by their files, at any depth", () => {
    const files = [
      "node_modules/ws/index.js",
      "node_modules/@x/y/lib/z.js",
      "node_modules/ws/lib/receiver.js",
      "node_modules/b/node_modules/ms/index.js",
      "sidecar/main.ts",
    ];
    expect(packagesOf(files)).toEqual([
      "node_modules/@x/y",
      "node_modules/b/node_modules/ms",
      "node_modules/ws",
    ]);
  });
});

it("the notices have the licence of each package, and say if one has no text", () => {
  const folder = newFolder("notices-");
  for (const name of ["a", "b"]) {
    mkdirSync(join(folder, name));
    writeFileSync(
      join(folder, name, "package.json"),
      JSON.stringify({ name, version: "1.0.0", license: "ISC" }),
    );
  }
  writeFileSync(join(folder, "b/LICENSE.md"), "Text of b\n");
  const text = noticesOf([join(folder, "a"), join(folder, "b")]);
  expect(text).toMatch(
    /a 1\.0\.0\nLicence: ISC[\s\S]*includes no licence text[\s\S]*b 1\.0\.0[\s\S]*Text of b/,
  );
  writeFileSync(join(folder, "a/package.json"), '{"name":"a"}');
  expect(() => noticesOf([join(folder, "a")])).toThrow("a names no licence");
});

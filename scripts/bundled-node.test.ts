import { readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { lockedNode, PLATFORMS } from "./bundled-node.mjs";

const LOCK = new URL("node/package-lock.json", import.meta.url);

it("archives bring Node 24, which needs no library that a bare Debian lacks, with a digest", () => {
  const { packages } = JSON.parse(readFileSync(LOCK, "utf8"));
  for (const platform of PLATFORMS) {
    const { path, version, program } = lockedNode(platform);
    expect([platform, version]).toEqual([platform, expect.stringMatching(/^24\.\d+\.\d+$/)]);
    expect(packages[path].integrity).toMatch(/^sha512-/);
    expect(program).toBe(platform.startsWith("win32") ? "bin/node.exe" : "bin/node");
  }
});

it("a platform without a package of Node is named", () => {
  expect(() => lockedNode("plan9-x64")).toThrow("has no Node for plan9-x64");
});

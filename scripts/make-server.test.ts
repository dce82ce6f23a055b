import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { newFolder } from "../test/helpers/folder.ts";
import { ROOT } from "../test/package/packages.ts";

const folder = newFolder("made ");
const place = (name: string): string => join(folder, name);

function run(...args: string[]): [status: number | null, stderr: string] {
  const program = join(ROOT, "scripts/make-server.mjs");
  const { status, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: "utf8" });
  return [status, stderr];
}

it("make-server makes the folder of the given game, and exits with its usage for an unknown one", () => {
  for (const wrong of [[], ["--halp"], [place("a"), "b"], [place("a"), "--game", "1.20.0"]])
    expect(run(...wrong)).toEqual([1, expect.stringMatching(/^usage: .*make-server -- <folder>/)]);
  expect(existsSync(place("a"))).toBe(false);
  expect(run(place("new"), "--game", "1.26.60")).toEqual([0, ""]);
  expect(readFileSync(place("new/server.properties"), "utf8")).toMatch(/^server-udp-ports=\d+$/m);
});

it("make-server leaves a folder alone that is not empty", () => {
  mkdirSync(place("real"));
  writeFileSync(place("real/server.properties"), "server-name=Mine\n");
  expect(run(place("real"))).toEqual([1, `${place("real")}: is not empty: expected a new folder\n`]);
  expect(readdirSync(place("real"))).toEqual(["server.properties"]);
});

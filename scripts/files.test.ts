import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { newFolder } from "../test/helpers/folder.ts";
import { publish, textFile } from "./files.mjs";

let dist: string;
beforeEach(() => {
  dist = join(newFolder("publish-"), "dist");
});

const files = [textFile("a/one.js", "1"), textFile("two.js", "2")];
const read = (path: string): string => readFileSync(join(dist, path), "utf8");

describe("a build", () => {
  it("does not touch unchanged files, and renames others into place", () => {
    publish(dist, files);
    const node = (path: string): number => statSync(join(dist, path)).ino;
    const before = [node("a/one.js"), node("two.js")];
    publish(dist, [textFile("a/one.js", "1"), textFile("two.js", "3")]);
    expect([read("a/one.js"), read("two.js")]).toEqual(["1", "3"]);
    expect(node("a/one.js")).toBe(before[0]);
    expect(node("two.js")).not.toBe(before[1]);
  });

  it("removes other files from a folder that it fills, and nothing elsewhere", () => {
    publish(dist, [...files, textFile("a/old-1a2b.js", "0")]);
    mkdirSync(join(dist, "packages"));
    for (const own of ["packages/x.zip", "config.yml"]) writeFileSync(join(dist, own), "mine");
    publish(dist, files);
    expect(readdirSync(join(dist, "a"))).toEqual(["one.js"]);
    expect(readdirSync(dist).sort()).toEqual(["a", "config.yml", "packages", "two.js"]);
    expect(read("packages/x.zip")).toBe("mine");
  });
});

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { publish } from "../../scripts/build/publish.mjs";
import { textFile } from "../../scripts/files.mjs";

let root: string;
let dist: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "with space "));
  dist = join(root, "dist");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const files = [textFile("a/one.js", "1"), textFile("two.js", "2")];
const read = (path: string): string => readFileSync(join(dist, path), "utf8");

describe("publishing a build", () => {
  it("writes every file and leaves nothing beside the folder", () => {
    publish(dist, files);
    expect([read("a/one.js"), read("two.js")]).toEqual(["1", "2"]);
    expect(readdirSync(root)).toEqual(["dist"]);
  });

  it("touches no file that is as it should be, and puts others in the place of the old ones", () => {
    publish(dist, files);
    const node = (path: string): number => statSync(join(dist, path)).ino;
    const before = [node("a/one.js"), node("two.js")];
    publish(dist, [textFile("a/one.js", "1"), textFile("two.js", "3")]);
    expect(read("two.js")).toBe("3");
    expect(node("a/one.js")).toBe(before[0]);
    expect(node("two.js")).not.toBe(before[1]);
  });

  it("writes nothing at all when everything is there", () => {
    publish(dist, files);
    const changed = statSync(root).mtimeMs;
    publish(dist, files);
    expect(statSync(root).mtimeMs).toBe(changed);
  });

  it("takes away what the build no longer makes, and leaves what others keep there", () => {
    publish(dist, files);
    mkdirSync(join(dist, "packages"));
    writeFileSync(join(dist, "packages/x.zip"), "");
    publish(dist, files.slice(1), path => path.startsWith("packages/"));
    expect(readdirSync(join(dist, "a"))).toEqual([]);
    expect(readdirSync(join(dist, "packages"))).toEqual(["x.zip"]);
  });
});

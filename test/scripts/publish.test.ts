import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { publish } from "../../scripts/build/publish.mjs";
import { textFile } from "../../scripts/files.mjs";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/runner.ts";

let root: string;
let dist: string;
beforeEach(() => {
  root = newFolder("with space ");
  dist = join(root, "dist");
});

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
    for (const own of ["packages/x.zip", "a/notes.txt", "config.yml"]) writeFileSync(join(dist, own), "mine");
    publish(dist, files.slice(1));
    expect(readdirSync(join(dist, "a"))).toEqual(["notes.txt"]);
    expect(readdirSync(dist).sort()).toEqual([".built", "a", "config.yml", "packages", "two.js"]);
    expect(readdirSync(join(dist, "packages"))).toEqual(["x.zip"]);
  });

  it("takes away nothing where no build has left its list, and nothing that a list names elsewhere", () => {
    mkdirSync(dist);
    writeFileSync(join(dist, "mine.txt"), "mine");
    writeFileSync(join(root, "mine.txt"), "mine");
    publish(dist, files);
    writeFileSync(join(dist, ".built"), `../mine.txt\na/../../mine.txt\n${join(root, "mine.txt")}\n`);
    publish(dist, files);
    expect([read("mine.txt"), readFileSync(join(root, "mine.txt"), "utf8")]).toEqual(["mine", "mine"]);
  });

  needs("links, not Windows", process.platform !== "win32").all(() =>
    it.each(["dist", "dist/a"])("refuses %s when it is a link, and leaves alone what it leads to", name => {
      publish(dist, files);
      const aside = join(root, "aside");
      renameSync(join(root, name), aside);
      symlinkSync(aside, join(root, name));
      const before = readdirSync(aside);
      expect(() => publish(dist, [textFile("a/three.js", "3")])).toThrow(/is a link: expected a folder/);
      expect(readdirSync(aside)).toEqual(before);
    }),
  );
});

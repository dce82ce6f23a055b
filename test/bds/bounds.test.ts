import { rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { bounded, MOST_BYTES, readFile } from "../../owner/bds/bounds.ts";
import type { Files } from "../../owner/bds/files.ts";
import { systemFiles } from "../../owner/bds/system.ts";
import { newFolder } from "../helpers/folder.ts";

/** Files that are all there, with a megabyte each, of which it is noted what is asked for. */
class Endless implements Files {
  readonly asked: string[] = [];

  kindOf = (path: string) => {
    this.asked.push(path);
    return "file" as const;
  };

  read = (path: string) => {
    this.asked.push(path);
    return new Uint8Array(1024 * 1024);
  };

  list = (path: string) => {
    this.asked.push(path);
    return ["a"];
  };
}

describe("one look at a server's folder", () => {
  it("asks for each thing once, and finds it as it was", () => {
    const files = new Endless();
    const { kindOf, read, list } = bounded(files);
    const first = read("a");
    expect(read("a")).toBe(first);
    expect(list("b")).toBe(list("b"));
    expect([kindOf("c"), kindOf("c")]).toEqual(["file", "file"]);
    expect(files.asked).toEqual(["a", "b", "c"]);
  });

  it("ends with the file that makes it 8 MiB, and says so of whatever is asked for then", () => {
    const { kindOf, read } = bounded(new Endless());
    for (let at = 0; at < 8; at++) read(`f${at}`);
    const why = "f8: with it, more than 8 MiB are to be read";
    expect(() => read("f8")).toThrow(why);
    expect(() => kindOf("other")).toThrow(why);
    expect(() => read("f0")).toThrow(why);
  });

  it("ends after 20,000 files and folders", () => {
    const { kindOf, list } = bounded(new Endless());
    for (let at = 0; at < 20_000; at++) kindOf(`f${at}`);
    expect(() => list("one more")).toThrow("one more: with it, more than 20000 files and folders");
  });
});

describe("the real files", () => {
  let folder: string;
  beforeAll(() => {
    folder = newFolder("bounds-");
  });

  it("are read up to their bound and no further", () => {
    const path = join(folder, "large");
    for (const most of Object.values(MOST_BYTES)) {
      writeFileSync(path, "");
      truncateSync(path, most);
      expect(readFile(path, systemFiles, most)).toHaveLength(most);
      truncateSync(path, most + 1);
      const fault = `is larger than ${most / 1024 / 1024} MiB`;
      expect(readFile(path, systemFiles, most)).toEqual({ fault: `it ${fault}` });
      expect(() => systemFiles.read(path, most)).toThrow(`${path}: ${fault}`);
    }
    expect(() => systemFiles.read(path)).toThrow(`${path}: is larger than 4 MiB`);
  });

  it("are listed in order, up to the bound and no further", () => {
    for (const name of ["b", "a", "c"]) writeFileSync(join(folder, name), "");
    rmSync(join(folder, "large"), { force: true });
    expect(systemFiles.list(folder, 3)).toEqual(["a", "b", "c"]);
    expect(() => systemFiles.list(folder, 2)).toThrow(`${folder}: holds more than 2 files and folders`);
    expect(systemFiles.list(join(folder, "missing"))).toEqual([]);
    expect(systemFiles.list(join(folder, "a"))).toEqual([]);
  });

  it("are not there under a name that no system has", () => {
    const path = join(folder, "x".repeat(300));
    expect([systemFiles.kindOf(path), systemFiles.read(path), systemFiles.list(path)]).toEqual([
      undefined,
      undefined,
      [],
    ]);
  });
});

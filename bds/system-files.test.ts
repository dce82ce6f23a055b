import { rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { newFolder } from "../test/helpers/folder.ts";
import { systemFiles } from "./system.ts";

describe("the real files", () => {
  let folder: string;
  beforeAll(() => {
    folder = newFolder("bounds-");
  });

  it("are read up to the size limit", () => {
    const path = join(folder, "large");
    writeFileSync(path, "");
    const most = 4 * 1024 * 1024;
    truncateSync(path, most);
    expect(systemFiles.read(path)).toHaveLength(most);
    truncateSync(path, most + 1);
    expect(() => systemFiles.read(path)).toThrow(`${path}: is larger than 4 MiB`);
  });

  it("are listed in order", () => {
    for (const name of ["b", "a", "c"]) writeFileSync(join(folder, name), "");
    rmSync(join(folder, "large"), { force: true });
    expect(systemFiles.list(folder)).toEqual(["a", "b", "c"]);
    expect(systemFiles.list(join(folder, "missing"))).toEqual([]);
    expect(systemFiles.list(join(folder, "a"))).toEqual([]);
  });

  it("are reported as missing under an impossible name", () => {
    const path = join(folder, "x".repeat(300));
    expect([systemFiles.kindOf(path), systemFiles.read(path), systemFiles.list(path)]).toEqual([
      undefined,
      undefined,
      [],
    ]);
  });
});

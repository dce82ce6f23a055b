import { chmodSync, chownSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "@jest/globals";
import { eachInFolder, folder, IS_ROOT, OWNER } from "../../test/helpers/folder.ts";
import { needs } from "../../test/helpers/needs.ts";
import { fileState } from "./sidecar-process.ts";

describe("a refused configuration", () => {
  eachInFolder("config-");

  needs("Linux", process.platform === "linux").it("has changed when another user may read it", () => {
    const file = join(folder, "config.yml");
    writeFileSync(file, "{}", { mode: 0o600 });
    const before = fileState(file);
    chmodSync(file, 0o644);
    expect(fileState(file)).not.toBe(before);
  });

  needs("root", IS_ROOT).it("has changed when it has another owner", () => {
    const file = join(folder, "config.yml");
    writeFileSync(file, "{}");
    const before = fileState(file);
    chownSync(file, OWNER.uid, OWNER.gid);
    expect(fileState(file)).not.toBe(before);
  });

  needs("Linux", process.platform === "linux").it(
    "that could not be created has changed when its folder may be written",
    () => {
      const file = join(folder, "config.yml");
      const before = fileState(file);
      writeFileSync(join(folder, "other"), "");
      rmSync(join(folder, "other"));
      expect(fileState(file)).toBe(before);
      chmodSync(folder, 0o777);
      expect(fileState(file)).not.toBe(before);
    },
  );
});

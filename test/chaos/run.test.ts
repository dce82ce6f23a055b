import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";

const PROGRAM = fileURLToPath(new URL("../../dist/tools/chaos.js", import.meta.url));

describe("the chaos command", () => {
  it("finds nothing wrong after a fault", () => {
    const { status, stdout } = spawnSync(process.execPath, [PROGRAM, "--seed", "3", "--faults", "1"], {
      encoding: "utf8",
    });
    expect(stdout).toMatch(/violations +0\n/);
    expect(status).toBe(0);
  });

  it("refuses what is no number", () => {
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, "--seed", "x"], { encoding: "utf8" });
    expect(stderr).toContain("--seed x: expected a whole number");
    expect(status).toBe(2);
  });
});

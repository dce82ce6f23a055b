import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { findRedisServer } from "../../scale/redis-server.ts";
import { needs } from "../helpers/runner.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/tools/chaos.js", import.meta.url));

describe("the chaos command", () => {
  it("finds nothing wrong after 60 faults", () => {
    const { status, stdout } = spawnSync(process.execPath, [PROGRAM, "--seed", "3", "--faults", "60"], {
      encoding: "utf8",
    });
    expect(stdout).toMatch(/violations +0\n/);
    expect(status).toBe(0);
  });

  needs("redis-server", findRedisServer() !== undefined).it("finds nothing wrong with three sidecars", () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      [PROGRAM, "--seed", "2", "--faults", "30", "--sidecars", "3"],
      { encoding: "utf8" },
    );
    expect(stdout).toMatch(/violations +0\n/);
    expect(status).toBe(0);
  });

  it("refuses what is no number", () => {
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, "--seed", "x"], { encoding: "utf8" });
    expect(stderr).toContain("--seed x: expected a whole number");
    expect(status).toBe(2);
  });
});

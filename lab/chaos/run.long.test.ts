import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { needs } from "../../test/helpers/needs.ts";
import { findRedisServer } from "../scale/redis-server.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/tools/chaos.js", import.meta.url));

/** Redis waits for the disk with each change, so a busy disk is no fault of the product. */
const IN_MEMORY = existsSync("/dev/shm") ? { TMPDIR: "/dev/shm" } : {};

describe("the chaos command", () => {
  it("has no violations after 60 faults", () => {
    const { status, stdout } = spawnSync(process.execPath, [PROGRAM, "--seed", "3", "--faults", "60"], {
      encoding: "utf8",
    });
    expect(stdout).toMatch(/violations +0\n/);
    expect(status).toBe(0);
  });

  it("has no violations after 60 faults of the console link and of all else", () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      [PROGRAM, "--seed", "4", "--faults", "60", "--console"],
      { encoding: "utf8" },
    );
    expect(stdout).toMatch(/violations +0\n/);
    expect(status).toBe(0);
  });

  needs("redis-server", findRedisServer() !== undefined).all(() =>
    it("has no violations with three sidecars", () => {
      const { status, stdout } = spawnSync(
        process.execPath,
        [PROGRAM, "--seed", "2", "--faults", "30", "--sidecars", "3"],
        { encoding: "utf8", env: { ...process.env, ...IN_MEMORY } },
      );
      expect(stdout).toMatch(/violations +0\n/);
      expect(status).toBe(0);
    }),
  );

  it("rejects options that are not numbers", () => {
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, "--seed", "x"], { encoding: "utf8" });
    expect(stderr).toContain("--seed x: expected a whole number");
    expect(status).toBe(2);
  });
});

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { findRedisServer } from "../../lab/scale/redis-server.ts";
import { needs } from "../helpers/runner.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/tools/chaos.js", import.meta.url));

/** Redis waits for the disk with each change: one that others keep busy is no fault of ours. */
const IN_MEMORY = existsSync("/dev/shm") ? { TMPDIR: "/dev/shm" } : {};

describe("the chaos command", () => {
  it("finds nothing wrong after 60 faults", () => {
    const { status, stdout } = spawnSync(process.execPath, [PROGRAM, "--seed", "3", "--faults", "60"], {
      encoding: "utf8",
    });
    expect(stdout).toMatch(/violations +0\n/);
    expect(status).toBe(0);
  });

  it("finds nothing wrong with a game server beside one that has faults, which is as if alone", () => {
    const args = [PROGRAM, "--seed", "3", "--faults", "8", "--servers", "2"];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect(stdout).toMatch(/as if alone +server-2 for \d+ s\n/);
    expect(stdout).toMatch(/violations +0\n/);
    expect(status).toBe(0);
  });

  const several: [string, string[]][] = [
    ["three sidecars", ["--seed", "2", "--faults", "30"]],
    ["three sidecars for two game servers", ["--seed", "1", "--faults", "20", "--servers", "2"]],
  ];
  needs("redis-server", findRedisServer() !== undefined).all(() =>
    it.each(several)("finds nothing wrong with %s", (_what, args) => {
      const { status, stdout } = spawnSync(
        process.execPath,
        [PROGRAM, ...args, "--sidecars", "3", "--back", "25"],
        { encoding: "utf8", env: { ...process.env, ...IN_MEMORY } },
      );
      expect(stdout).toMatch(/violations +0\n/);
      expect(status).toBe(0);
    }),
  );

  it("refuses what is no number", () => {
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, "--seed", "x"], { encoding: "utf8" });
    expect(stderr).toContain("--seed x: expected a whole number");
    expect(status).toBe(2);
  });
});

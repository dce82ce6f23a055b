import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { bench, freshBench } from "../../test/helpers/server-setup.ts";

freshBench();

const LARGE = 101 * 1024 * 1024;

/** Sets up with a copy of a large world; `at` does something at a line of its progress. */
async function copied(at: (line: string) => void = () => undefined): Promise<string[]> {
  truncateSync(bench.world("db/CURRENT"), LARGE);
  const lines: string[] = [];
  const report = (line: string): void => {
    lines.push(line);
    at(line);
  };
  await bench.setUp({ backup: { now: () => 0, freeBytes: () => undefined, report } });
  return lines;
}

it("a large copy of a world reports its progress, and uses little memory", async () => {
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  const lines = await copied(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  });
  expect(lines).toContain("backup: 100 % of 102 MB copied");
  expect(lines).toContain("backup: 10 % of 102 MB compared");
  expect(lines.at(-2)).toBe("backup: 100 % of 102 MB compared");
  expect(most).toBeLessThan(30 * 1024 * 1024);
});

it("a copy that differs from the world is rejected and removed", async () => {
  const corrupt = (line: string): void => {
    if (!line.endsWith("100 % of 102 MB copied")) return;
    const [draft = ""] = readdirSync(bench.path("backups"));
    const path = join(bench.path("backups"), draft, "levelname.txt");
    writeFileSync(path, readFileSync(path, "utf8").replace(/./, "X"));
  };
  await expect(copied(corrupt)).rejects.toThrow(/levelname.txt: differs from the original: check that disk/);
  expect(existsSync(bench.path("backups"))).toBe(false);
});

it("a world that changes while it is copied is rejected, and the copy is removed", async () => {
  const change = (line: string): void => {
    if (line.endsWith("100 % of 102 MB compared")) writeFileSync(bench.world("levelname.txt"), "another");
  };
  await expect(copied(change)).rejects.toThrow(/was changed while it was copied: stop the server/);
  expect(existsSync(bench.path("backups"))).toBe(false);
});

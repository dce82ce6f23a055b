import { expect, it } from "@jest/globals";
import { isProved } from "../../owner/bds/proved.ts";

const PROOFS = { "1.26.50.4 linux": "2026-11-01T10:00Z", "1.26.60.6 windows": "2026-11-23T23:10Z" };

it.each<[string, string, boolean]>([
  ["1.26.50.4", "linux", true],
  ["1.26.50", "linux", true],
  ["1.26.50.5", "linux", false],
  ["1.26.5", "linux", false],
  ["1.26.50.4", "win32", false],
  ["1.26.60.6", "win32", true],
  ["1.26.60.6", "darwin", false],
])("a game %s on %s is proved or not by what was handed in: %s", (version, platform, is) => {
  expect(isProved(version.split(".").map(Number), platform, PROOFS)).toBe(is);
});

it("nothing is proved where nothing was handed in", () => {
  expect(isProved([1, 26, 60, 6], "linux", {})).toBe(false);
});

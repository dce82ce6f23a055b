import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { exitOf, readProof } from "../../owner/prove/read.ts";
import { writeReport } from "../../owner/prove/report/write.ts";
import type { Answer } from "../../owner/prove/report.ts";
import { needs } from "../helpers/runner.ts";
import { IS_BUILT, ROOT } from "../package/packages.ts";
import { answer, aReport } from "./a-report.ts";

const folder = mkdtempSync(join(tmpdir(), "read-"));
const ROW = "A tick / timers";
const PROBES = [{ id: "tick-timers", kind: "promise", rows: [ROW] }] as const;

function read(path: string): { code: number; said: string[]; complained: string[] } {
  const [said, complained]: [string[], string[]] = [[], []];
  const code = readProof(
    path,
    PROBES,
    line => said.push(line),
    line => complained.push(line),
  );
  return { code, said, complained };
}

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const reported = (
  state: "held" | "broken",
  kind: "promise" | "inference" = "promise",
  id = "tick-timers",
): string => writeReport(aReport({ answers: [answer({ id, state, kind })] }), folder).json;

describe("a file that is compared", () => {
  it("ends with 0 where the lines held, and with 1 where a promise did not", () => {
    const held = read(reported("held"));
    expect([held.code, held.complained]).toEqual([0, []]);
    expect(held.said).toContain(`ok  ${ROW}`);
    const broken = read(reported("broken"));
    expect([broken.code, broken.complained]).toEqual([1, []]);
    expect(broken.said).toContain(`!!  ${ROW}`);
  });

  it("ends with 0 where a line is wrong that the product does not need, and names it", () => {
    const { code, said, complained } = read(reported("broken", "inference"));
    expect([code, complained]).toEqual([0, []]);
    expect(said).toContain(`??  ${ROW}`);
    expect(said).toContain("Lines that are wrong, and that the product does not need (1):");
    expect(said.join("\n")).not.toContain("!!");
  });

  it.each<[number, string, Partial<Answer>[]]>([
    [0, "all held", [{}]],
    [0, "something was not asked", [{ state: "skipped" }]],
    [0, "only something is otherwise that is not needed", [{ state: "broken", kind: "inference" }, {}]],
    [1, "a promise did not hold", [{ state: "broken", kind: "inference" }, { state: "broken" }]],
  ])("ends with %s where %s", (code, _, answers) => {
    const all = answers.map((changes, place) => answer({ id: `net-${place}`, ...changes }));
    expect(exitOf(aReport({ answers: all }))).toBe(code);
  });

  it("ends with 1 where a promise did not hold that is about no line, and names it", () => {
    const { code, said } = read(reported("broken", "promise", "web-status"));
    expect(code).toBe(1);
    expect(said).toContain("!!  web-status");
  });

  it.each<[string, () => string, RegExp]>([
    [
      "is not there",
      () => join(folder, "none.json"),
      /none\.json: there is no such file or folder \(ENOENT\)$/,
    ],
    ["is a folder", () => folder, /: it is no file$/],
    ["is a device, which has no end", () => "/dev/null", /: it is no file$/],
    ["is no report", () => file("odd.json", "{}"), /odd\.json: it is no report that this build can read/],
    [
      "is too large",
      () => file("large.json", " ".repeat(4_000_001)),
      /large\.json: it is larger than 4000000 bytes$/,
    ],
  ])("ends with 2 and says why where it %s", (_name, path, why) => {
    const { code, said, complained } = read(path());
    expect([code, said, complained]).toEqual([2, [], [expect.stringMatching(why)]]);
  });
});

needs("npm run build", IS_BUILT).it("the command compares a report without any game server", () => {
  const program = join(ROOT, "dist/tools/prove.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "--read", reported("held")], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^Web Bridge 0\.1\.0 on game 1\.26\.60\.6 on Linux/);
  expect(stdout).toContain("Inferred or unknown lines that no probe asks");
});

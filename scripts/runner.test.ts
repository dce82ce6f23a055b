import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { newFolder } from "../test/helpers/folder.ts";
import { type Results, summary } from "./test-summary.mjs";

// Own connections: writes tests, one of which leaves a server open.

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const HELPERS = JSON.stringify(join(ROOT, "test/helpers/")).slice(1, -1);
const HEAD = `import { createServer } from "node:net";
import { afterAll, afterEach, expect, it } from "@jest/globals";
import { noting } from "${HELPERS}breaches.ts";
import { eventually } from "${HELPERS}eventually.ts";
import { needs } from "${HELPERS}needs.ts";
const breach = () => noting(() => { throw new Error("seen late"); });
`;

/** Test files, by what they show. */
const FILES = {
  passes: `it("waits", async () => { let n = 0; expect(await eventually(() => { if (++n < 3) throw n; return n; })).toBe(3); });`,
  breach: `it("notes", breach); it("is not to blame", () => {});`,
  "breach-in-hook": `afterEach(breach); it("ends", () => {});`,
  "breach-at-the-end": `afterAll(breach); it("ends", () => {});`,
  rejection: `it("forgets a promise", async () => { Promise.reject(new Error("unheard")); await new Promise(setImmediate); });`,
  "late-throw": `it("leaves a timer", async () => { setTimeout(() => { throw new Error("late"); }); await new Promise(done => setTimeout(done, 50)); });`,
  leak: `it("leaves a server open", () => { createServer().listen(0, "127.0.0.1"); throw new Error("wrong"); });`,
  flaky: `let tries = 0; it("would pass at its second try", () => { expect(++tries).toBe(2); });`,
  unloadable: `import "./nothing.ts"; it("never runs", () => {});`,
  skips: `needs("a unicorn", false).it("rides", () => {}); needs("a unicorn", false).describe("a herd", () => { it("runs", () => {}); });
    needs("air", true).it("breathes", () => {});`,
};

/** Runs them with the runner of this project. */
function run(folder: string, files: Record<string, string>): Results {
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, `${name}.test.ts`), HEAD + text);
  const file = join(folder, "results.json");
  const runner = ["--experimental-vm-modules", join(ROOT, "node_modules/jest/bin/jest.js")];
  const args = ["--rootDir", ROOT, "--roots", folder, "--maxWorkers", "2", "--json", "--outputFile", file];
  spawnSync(process.execPath, [...runner, ...args], { cwd: ROOT, stdio: "ignore" });
  return JSON.parse(readFileSync(file, "utf8"));
}

describe("a run of tests", () => {
  let folder: string;
  let results: Results;
  beforeAll(() => {
    folder = newFolder("runner-");
    results = run(folder, FILES);
  });

  /** lists the failed tests of a file, and an error of the file as a whole */
  const failures = (name: keyof typeof FILES): string[] =>
    results.testResults
      .filter(each => each.name === join(folder, `${name}.test.ts`))
      .flatMap(({ assertionResults, message }) => {
        const failed = assertionResults.filter(({ status }) => status === "failed");
        return failed.length > 0 ? failed.map(({ fullName }) => fullName) : [message];
      });

  it("accepts an eventual success, runs nothing a second time, and ends with an open server", () => {
    expect(failures("passes")).toEqual([""]);
    expect(failures("leak")).toEqual(["leaves a server open"]);
    expect(failures("flaky")).toEqual(["would pass at its second try"]);
  });

  it("fails a test with an error that it, or a hook after it, has noted", () => {
    expect(failures("breach")).toEqual(["notes"]);
    expect(failures("breach-in-hook")).toEqual(["ends"]);
    expect(failures("breach-at-the-end")).toEqual([expect.stringContaining("seen late")]);
  });

  it("fails a test with an exception outside of it", () => {
    expect(failures("rejection")).toEqual(["forgets a promise"]);
    expect(failures("late-throw")).toEqual(["leaves a timer"]);
  });

  it("counts a file that cannot be loaded, and skipped tests with the reason", () => {
    expect(failures("unloadable")).toEqual([expect.stringContaining("nothing.ts")]);
    expect(summary(results, 1, 0)).toBe(
      "skipped 2 tests for lack of: a unicorn\n4 passed, 8 failed, 2 skipped",
    );
  });
});

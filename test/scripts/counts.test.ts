import { expect, it } from "@jest/globals";
import { lastLine, skipLines, total, unexplained } from "../../scripts/counts.mjs";

const ran = (numPassedTests: number, numFailedTests: number, skips: string[] = []) => ({
  numPassedTests,
  numFailedTests,
  numRuntimeErrorTestSuites: 0,
  testResults: [
    { name: "", message: "", assertionResults: skips.map(fullName => ({ status: "pending", fullName })) },
  ],
});

it.each([
  ["what the runner counted", ran(3, 0), 0, 0, "3 passed, 0 failed"],
  ["failures and what was skipped", ran(3, 1, ["a", "b"]), 1, 0, "3 passed, 1 failed, 2 skipped"],
  ["a crash of the runner", undefined, 1, 0, "0 passed, 1 failed"],
  ["a crash of the runner with the exit code of a success", undefined, 0, 0, "0 passed, 1 failed"],
  ["an exit code that no test explains", ran(3, 0), 1, 0, "3 passed, 1 failed"],
  ["checks that failed", ran(3, 1), 1, 2, "3 passed, 3 failed"],
])("the last line of a run counts %s", (_what, results, code, checks, line) => {
  expect(lastLine(total(results, code, checks))).toBe(line);
});

it("a run names what skipped tests would have needed, and the tests that do not say it", () => {
  const results = ran(1, 0, ["a [needs a browser]", "b", "suite [needs a browser] c"]);
  expect(skipLines(results)).toEqual(["skipped 2 tests for lack of: a browser"]);
  expect(unexplained(results)).toEqual(["b"]);
  expect([skipLines(undefined), unexplained(undefined)]).toEqual([[], []]);
});

import { expect, it } from "@jest/globals";
import { summary } from "./test-summary.mjs";

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
  [
    "what was skipped, and why",
    ran(3, 1, ["a [needs a browser]", "suite [needs a browser] c"]),
    1,
    0,
    "skipped 2 tests for lack of: a browser\n3 passed, 1 failed, 2 skipped",
  ],
  ["a crash of the runner", undefined, 1, 0, "0 passed, 1 failed"],
  ["a crash of the runner with the exit code of a success", undefined, 0, 0, "0 passed, 1 failed"],
  ["an exit code that no test explains", ran(3, 0), 1, 0, "3 passed, 1 failed"],
  ["checks that failed", ran(3, 1), 1, 1, "3 passed, 2 failed"],
])("the end of a run counts %s", (_what, results, code, checks, lines) => {
  expect(summary(results, code, checks)).toBe(lines);
});

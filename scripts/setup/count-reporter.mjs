import { writeFileSync } from "node:fs";

/**
 * Leaves the counts of a run in the file that TEST_COUNTS_FILE names. A file that could not be loaded and an error
 * outside of any test are failures like others.
 * @type {import("vitest/node").Reporter}
 */
export const countReporter = {
  onTestRunEnd(modules, unhandledErrors) {
    const file = process.env.TEST_COUNTS_FILE;
    if (file === undefined) return;
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") counts.passed++;
        else if (state === "skipped") counts.skipped++;
        else counts.failed++;
      }
      counts.failed += module.errors().length;
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
    }
    writeFileSync(file, JSON.stringify(counts));
  },
};

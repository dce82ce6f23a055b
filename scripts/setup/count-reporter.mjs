import { writeFileSync } from "node:fs";

/**
 * Leaves the counts of a run in the file that TEST_COUNTS_FILE names, with what the skipped tests would have needed. A
 * file that could not be loaded and an error outside of any test are failures like others.
 * @type {import("vitest/node").Reporter}
 */
export const countReporter = {
  onTestRunEnd(modules, unhandledErrors) {
    const file = process.env.TEST_COUNTS_FILE;
    if (file === undefined) return;
    /** @type {import("./counts.mjs").Counts & { skips: import("./counts.mjs").Skip[] }} */
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0, skips: [] };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") counts.passed++;
        else if (state === "skipped") {
          counts.skipped++;
          counts.skips.push({
            test: `${module.relativeModuleId} > ${test.fullName}`,
            needs: needsOf(test.meta()),
          });
        } else counts.failed++;
      }
      counts.failed += module.errors().length;
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
    }
    writeFileSync(file, JSON.stringify(counts));
  },
};

/**
 * @param {object} meta
 * @returns {string | undefined}
 */
const needsOf = meta => ("needs" in meta && typeof meta.needs === "string" ? meta.needs : undefined);

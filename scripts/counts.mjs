/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/**
 * @typedef {object} Test
 * @property {string} status
 * @property {string} fullName
 */
/**
 * What Jest says of a run when it is asked for JSON. `numRuntimeErrorTestSuites`: files that could not be loaded, or with
 * an error outside of any test.
 * @typedef {object} Results
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numRuntimeErrorTestSuites
 * @property {{ name: string, message: string, assertionResults: Test[] }[]} testResults
 */

/**
 * Adds up a test run. Without results the runner itself has crashed, which is one failure; so is a bad exit code
 * that the results do not explain.
 * @param {Results | undefined} results
 * @param {number} code exit code of the runner
 * @param {number} failedChecks
 * @returns {Counts}
 */
export function total(results, code, failedChecks) {
  const failed = results ? results.numFailedTests + results.numRuntimeErrorTestSuites : 0;
  const unexplained = failed === 0 && (code !== 0 || !results) ? 1 : 0;
  return {
    passed: results?.numPassedTests ?? 0,
    failed: failed + unexplained + failedChecks,
    skipped: skipped(results).length,
  };
}

/**
 * @param {Counts} counts
 * @returns {string}
 */
export function lastLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/**
 * A line for each thing that skipped tests would have needed, with how many they are.
 * @param {Results | undefined} results
 * @returns {string[]}
 */
export function skipLines(results) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { needs } of skipped(results)) if (needs) counts.set(needs, (counts.get(needs) ?? 0) + 1);
  return [...counts].map(
    ([needs, count]) => `skipped ${count} ${count === 1 ? "test" : "tests"} for lack of: ${needs}`,
  );
}

/**
 * Names of the tests that were skipped without saying what they lack.
 * @param {Results | undefined} results
 * @returns {string[]}
 */
export const unexplained = results => skipped(results).flatMap(({ name, needs }) => (needs ? [] : [name]));

/**
 * Tests that did not run; `needs` is what `test/helpers/runner.ts` has put into their names.
 * @param {Results | undefined} results
 */
const skipped = results =>
  (results?.testResults ?? [])
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status !== "passed" && status !== "failed")
    .map(({ fullName }) => ({ name: fullName, needs: /\[needs ([^\]]+)\]/.exec(fullName)?.[1] }));

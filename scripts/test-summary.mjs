/**
 * Jest's results in JSON. `numRuntimeErrorTestSuites`: files that could not be loaded, or with
 * an error outside of any test.
 * @typedef {object} Results
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numRuntimeErrorTestSuites
 * @property {{ name: string, message: string, assertionResults: { status: string, fullName: string }[] }[]} testResults
 */

/**
 * The last lines of a test run: requirements of skipped tests, which `test/helpers/needs.ts` puts into their names, and counts. A
 * crash of the runner, and an exit code that no test explains, count as one failure.
 * @param {Results | undefined} results
 * @param {number} code exit code of the runner
 * @param {number} failedChecks
 */
export function summary(results, code, failedChecks) {
  const failed = results ? results.numFailedTests + results.numRuntimeErrorTestSuites : 0;
  const crashed = failed === 0 && (code !== 0 || !results) ? 1 : 0;
  const skipped = (results?.testResults ?? [])
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status !== "passed" && status !== "failed")
    .map(({ fullName }) => /\[needs ([^\]]+)\]/.exec(fullName)?.[1] ?? "a test filter");
  const lacks = [...new Set(skipped)].map(what => {
    const count = skipped.filter(each => each === what).length;
    return `skipped ${count} ${count === 1 ? "test" : "tests"} for lack of: ${what}\n`;
  });
  const counts = `${results?.numPassedTests ?? 0} passed, ${failed + crashed + failedChecks} failed`;
  return lacks.join("") + counts + (skipped.length > 0 ? `, ${skipped.length} skipped` : "");
}

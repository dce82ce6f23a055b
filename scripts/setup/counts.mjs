/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * Adds up a test run. Without counts the runner itself has crashed, which is one failure; so is a bad exit code
 * that the counts do not explain.
 * @param {unknown} counted what the reporter left, if anything
 * @param {number} code exit code of the runner
 * @param {number} failedChecks
 * @returns {Counts}
 */
export function total(counted, code, failedChecks) {
  const counts = isCounts(counted) ? counted : { passed: 0, failed: 0, skipped: 0 };
  const unexplained = counts.failed === 0 && (code !== 0 || !isCounts(counted)) ? 1 : 0;
  return { ...counts, failed: counts.failed + unexplained + failedChecks };
}

/**
 * @param {Counts} counts
 * @returns {string}
 */
export function lastLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/**
 * @param {unknown} value
 * @returns {value is Counts}
 */
function isCounts(value) {
  if (typeof value !== "object" || value === null) return false;
  const { passed, failed, skipped } = /** @type {Record<string, unknown>} */ (value);
  return [passed, failed, skipped].every(Number.isInteger);
}

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/** @typedef {{ test: string, needs?: string | undefined }} Skip `needs` is empty where nothing was missing */

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
 * A line for each thing that skipped tests would have needed, with how many they are.
 * @param {readonly Skip[]} skips
 * @returns {string[]}
 */
export function skipLines(skips) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { needs } of skips) if (needs) counts.set(needs, (counts.get(needs) ?? 0) + 1);
  return [...counts].map(
    ([needs, count]) => `skipped ${count} ${count === 1 ? "test" : "tests"} for lack of: ${needs}`,
  );
}

/**
 * Names of the tests that were skipped without saying what they lack.
 * @param {readonly Skip[]} skips
 * @returns {string[]}
 */
export const unexplained = skips => skips.flatMap(({ test, needs }) => (needs ? [] : [test]));

/**
 * The skips in what the reporter left; none when it left nothing.
 * @param {unknown} counted
 * @returns {Skip[]}
 */
export function skipsOf(counted) {
  if (typeof counted !== "object" || counted === null || !("skips" in counted)) return [];
  return Array.isArray(counted.skips) ? counted.skips : [];
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

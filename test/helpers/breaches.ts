import { afterAll, afterEach } from "@jest/globals";

// Jest loads this before each file of tests.

/** Breaches of the description that were seen where nobody could be told at once, such as in a handler of events. */
const breaches: string[] = [];

/** Runs a check that throws, and keeps what it threw until the test ends. */
export function noting(check: () => void): void {
  try {
    check();
  } catch (error) {
    breaches.push(error instanceof Error ? error.message : String(error));
  }
}

/** The breaches so far, which are then forgotten. */
export const takeBreaches = (): string[] => breaches.splice(0);

/** Throws when there was a breach. Runs after every test. */
export function failOnBreaches(): void {
  const all = takeBreaches();
  if (all.length > 0) throw new Error(`not as described:\n${all.join("\n")}`);
}

// Jest runs hooks in the order of their registration: `jest/environment.mjs` puts these behind those of the test.
afterEach(failOnBreaches);
afterAll(failOnBreaches);

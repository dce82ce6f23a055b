import { afterAll, afterEach } from "@jest/globals";

// Jest loads this before each test file.

/** Responses and messages that do not match the documents, found where no test can fail directly, such as in an event handler. */
const breaches: string[] = [];

/** Runs a check, and stores its error until the test ends. */
export function noting(check: () => void): void {
  try {
    check();
  } catch (error) {
    breaches.push(error instanceof Error ? error.message : String(error));
  }
}

/** Returns and clears the errors so far. */
export const takeBreaches = (): string[] => breaches.splice(0);

/** Throws if there was an error. Runs after every test. */
export function failOnBreaches(): void {
  const all = takeBreaches();
  if (all.length > 0) throw new Error(`not as described:\n${all.join("\n")}`);
}

// Jest runs hooks in the order of registration. `jest/environment.mjs` puts these after the hooks of the test.
afterEach(failOnBreaches);
afterAll(failOnBreaches);

import { afterAll, afterEach, jest } from "@jest/globals";
import { failOnBreaches } from "./breaches.ts";

// Jest runs hooks in the order of their registration: `environment.mjs` puts these behind those of the test.
afterEach(failOnBreaches);
afterAll(failOnBreaches);

// Hundreds of tests wait for other processes: one of them may starve on a busy machine. What it said first is shown.
jest.retryTimes(1, { logErrorsBeforeRetry: true });

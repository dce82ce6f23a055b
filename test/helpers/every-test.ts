import { afterAll, afterEach } from "@jest/globals";
import { failOnBreaches } from "./breaches.ts";

// Jest runs hooks in the order of their registration: `environment.mjs` puts these behind those of the test.
afterEach(failOnBreaches);
afterAll(failOnBreaches);

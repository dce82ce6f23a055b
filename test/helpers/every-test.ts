import { afterAll, afterEach } from "@jest/globals";
import { failOnBreaches } from "./breaches.ts";

// Hooks run in the reverse order of their registration: this comes after those of the test, when its sockets are closed.
afterEach(failOnBreaches);
afterAll(failOnBreaches);

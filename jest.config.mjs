import { availableParallelism } from "node:os";

/** @type {import("jest").Config} */
export default {
  roots: ["<rootDir>/test"],
  testMatch: ["**/*.test.ts"],
  extensionsToTreatAsEsm: [".ts", ".tsx", ".lua"],
  transform: { "\\.(tsx?|lua)$": "<rootDir>/test/helpers/transform.mjs" },
  globalSetup: "<rootDir>/test/helpers/one-browser.mjs",
  globalTeardown: "<rootDir>/test/helpers/one-browser-ends.mjs",
  testEnvironment: "<rootDir>/test/helpers/environment.mjs",
  setupFilesAfterEnv: ["<rootDir>/test/helpers/every-test.ts"],
  testSequencer: "<rootDir>/test/helpers/longest-first.mjs",
  // Tests wait for the network and for browsers more than they compute: no core is left idle.
  maxWorkers: availableParallelism() + 1,
  // Modules of a file that is through stay in memory. And with a limit even a single file has a process of its own, which ends
  // though a test that failed has left a server open.
  workerIdleMemoryLimit: "1GB",
  // A deadline for what hangs, on a busy machine too.
  testTimeout: 120_000,
};

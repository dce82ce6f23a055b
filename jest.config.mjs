import { availableParallelism } from "node:os";

const LONG = "**/*.long.test.ts";

/** Tests are beside the code that they test; those of several folders are in `test`. */
const FOLDERS = [
  ...["bds", "behavior_pack", "cli", "client", "lab", "owner", "prove", "resource_pack", "scripts"],
  ...["shared", "sidecar", "test", "web"],
];

/** Settings of both projects. */
const EACH = {
  roots: FOLDERS.map(folder => `<rootDir>/${folder}`),
  extensionsToTreatAsEsm: [".ts", ".tsx", ".lua"],
  transform: { "\\.(tsx?|lua)$": "<rootDir>/test/jest/transform.mjs" },
  testEnvironment: "<rootDir>/test/jest/environment.mjs",
  setupFilesAfterEnv: ["<rootDir>/test/helpers/breaches.ts"],
  globalSetup: "<rootDir>/test/jest/one-browser.mjs",
  globalTeardown: "<rootDir>/test/jest/one-browser-ends.mjs",
};

/**
 * `npm test` runs `tests`, and `npm run test:long` runs `long`: slow tests that rarely break.
 * @type {import("jest").Config}
 */
export default {
  projects: [
    { ...EACH, displayName: "tests", testMatch: ["**/*.test.ts", `!${LONG}`] },
    { ...EACH, displayName: "long", testMatch: [LONG] },
  ],
  testSequencer: "<rootDir>/test/jest/longest-first.mjs",
  // Tests wait for the network and for browsers more than they compute, so use every core.
  maxWorkers: availableParallelism() + 2,
  // Modules of finished files stay in memory. With a limit, even a single file gets its own process, which ends although a
  // test that failed has left a server open.
  workerIdleMemoryLimit: "1GB",
  // Timeouts for a hanging test on a busy machine, and for a worker to exit after its last test.
  testTimeout: 300_000,
  workerGracefulExitTimeout: 5_000,
};

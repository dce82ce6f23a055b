import { availableParallelism } from "node:os";

const LONG = "**/*.long.test.ts";

/** A test stands beside what it tests; in `test` is what goes through several rooms. */
const ROOMS = [
  ...["bds", "behavior_pack", "cli", "client", "lab", "owner", "prove", "resource_pack", "scripts"],
  ...["shared", "sidecar", "test", "web"],
];

/** Settings of both projects. */
const EACH = {
  roots: ROOMS.map(room => `<rootDir>/${room}`),
  extensionsToTreatAsEsm: [".ts", ".tsx", ".lua"],
  transform: { "\\.(tsx?|lua)$": "<rootDir>/test/jest/transform.mjs" },
  testEnvironment: "<rootDir>/test/jest/environment.mjs",
  setupFilesAfterEnv: ["<rootDir>/test/helpers/breaches.ts"],
  globalSetup: "<rootDir>/test/jest/one-browser.mjs",
  globalTeardown: "<rootDir>/test/jest/one-browser-ends.mjs",
};

/**
 * `npm test` runs `tests`. `npm run test:long` runs `long`: files that take long and hardly ever break.
 * @type {import("jest").Config}
 */
export default {
  projects: [
    { ...EACH, displayName: "tests", testMatch: ["**/*.test.ts", `!${LONG}`] },
    { ...EACH, displayName: "long", testMatch: [LONG] },
  ],
  testSequencer: "<rootDir>/test/jest/longest-first.mjs",
  // Tests wait for the network and for browsers more than they compute: no core is left idle.
  maxWorkers: availableParallelism() + 2,
  // Modules of finished files stay in memory. With a limit, even a single file gets its own process, which ends although a
  // test that failed has left a server open.
  workerIdleMemoryLimit: "1GB",
  // A deadline for what hangs, on a busy machine too. The second one is for a worker that has finished and has to end.
  testTimeout: 300_000,
  workerGracefulExitTimeout: 5_000,
};

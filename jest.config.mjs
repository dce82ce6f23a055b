import { availableParallelism } from "node:os";

/** What goes for the tests of every project. */
const EACH = {
  roots: ["<rootDir>/test"],
  extensionsToTreatAsEsm: [".ts", ".tsx", ".lua"],
  transform: { "\\.(tsx?|lua)$": "<rootDir>/test/helpers/transform.mjs" },
  testEnvironment: "<rootDir>/test/helpers/environment.mjs",
  setupFilesAfterEnv: ["<rootDir>/test/helpers/every-test.ts"],
  globalSetup: "<rootDir>/test/helpers/one-browser.mjs",
  globalTeardown: "<rootDir>/test/helpers/one-browser-ends.mjs",
};

/** Tests of what sidecars share, seen from outside: they run with three of them in the place of one too. */
const THREE_SIDECARS = {
  // One way through the whole for each feature.
  "three sidecars": ["e2e/{links,web-chat,whitelist}", "http/{feed,links}"],
  "three sidecars, long": ["e2e/{answers,asking,chat,delivery,link-races,restarts,volume}"],
};

/**
 * `npm test` runs `tests` and `three sidecars`, `npm run test:long` the other two: what takes long and hardly ever breaks.
 * @type {import("jest").Config}
 */
export default {
  projects: [
    {
      ...EACH,
      displayName: "tests",
      testMatch: ["**/*.test.ts"],
      testPathIgnorePatterns: ["\\.long\\.test\\.ts$"],
    },
    { ...EACH, displayName: "long", testMatch: ["**/*.long.test.ts"] },
    ...Object.entries(THREE_SIDECARS).map(([displayName, files]) => ({
      ...EACH,
      displayName,
      testMatch: files.map(each => `<rootDir>/test/${each}.test.ts`),
      testEnvironmentOptions: { sidecars: 3 },
    })),
  ],
  testSequencer: "<rootDir>/test/helpers/longest-first.mjs",
  // Tests wait for the network and for browsers more than they compute: no core is left idle.
  maxWorkers: availableParallelism() + 1,
  // Modules of a file that is through stay in memory. And with a limit even a single file has a process of its own, which ends
  // though a test that failed has left a server open.
  workerIdleMemoryLimit: "1GB",
  // A deadline for what hangs, on a busy machine too; the second one for a worker that is through and has to end.
  testTimeout: 120_000,
  workerGracefulExitTimeout: 5_000,
};

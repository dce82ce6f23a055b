import { availableParallelism } from "node:os";

/** What goes for the tests of both projects. */
const EACH = {
  roots: ["<rootDir>/test"],
  extensionsToTreatAsEsm: [".ts", ".tsx", ".lua"],
  transform: { "\\.(tsx?|lua)$": "<rootDir>/test/helpers/transform.mjs" },
  testEnvironment: "<rootDir>/test/helpers/environment.mjs",
  setupFilesAfterEnv: ["<rootDir>/test/helpers/every-test.ts"],
};

/** Tests that look at a bridge from outside: they run with three sidecars in the place of one too. */
const OF_ANY_BRIDGE = [
  "e2e/{answers,asking,chat,delivery,figures,link-races,links,restarts,smoke,strangers,volume,web-chat,whitelist,whitelist-reads,whitelist-removal}",
  "http/{alike,asking,chat,chat-rates,events,events-json,feed,history,keys,link-rates,links,renewed-cookie,session,sessions,snapshot,streams,web-chat,whitelist,whitelist-changes}",
];

/** @type {import("jest").Config} */
export default {
  projects: [
    {
      ...EACH,
      testMatch: ["**/*.test.ts"],
      globalSetup: "<rootDir>/test/helpers/one-browser.mjs",
      globalTeardown: "<rootDir>/test/helpers/one-browser-ends.mjs",
    },
    {
      ...EACH,
      displayName: "three sidecars",
      testMatch: OF_ANY_BRIDGE.map(files => `<rootDir>/test/${files}.test.ts`),
      testEnvironmentOptions: { sidecars: 3 },
    },
  ],
  testSequencer: "<rootDir>/test/helpers/longest-first.mjs",
  // Tests wait for the network and for browsers more than they compute: no core is left idle.
  maxWorkers: availableParallelism() + 1,
  // Modules of a file that is through stay in memory. And with a limit even a single file has a process of its own, which ends
  // though a test that failed has left a server open.
  workerIdleMemoryLimit: "1GB",
  // A deadline for what hangs, on a busy machine too.
  testTimeout: 120_000,
};

import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { AT_LENGTH } from "./test/helpers/environment.mjs";

/** Files of which some tests are at length. */
const PARTLY_LONG = readdirSync(`${import.meta.dirname}/test`, { recursive: true, encoding: "utf8" })
  .filter(name => /(?<!\.long)\.test\.ts$/.test(name))
  .map(name => `${import.meta.dirname}/test/${name}`)
  .filter(path => readFileSync(path, "utf8").includes(`"${AT_LENGTH}"`));

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

/**
 * Tests that run once more with several in the place of one: with three sidecars what they share, seen from outside; with three
 * game servers those of the second one, beside two that are busy. `test/helpers/not-of-the-second.mjs` leaves some of those out.
 */
const SEVERAL = {
  "three sidecars": {
    of: { sidecars: 3 },
    files: [
      "e2e/{answers,asking,bans,chat,choices,delivery.long,known-players,link-races,links,links-of-several,moderation,plots,relay,restarts.long}",
      "e2e/{sign-in,sign-in-asked.long,sign-in-others.long,volume.long,web-chat,whitelist}",
      "http/{feed,known-players,links,several-servers}",
    ],
  },
  "three servers": {
    of: { servers: 3 },
    files: [
      "e2e/{answers,asking,bans,bursts,chat,delivery.long,link-races,links,moderation,plots,restarts.long,volume.long,web-chat,whitelist}",
      "http/{chat,chat-rates,dues,events,events-json,feed,late-lines,late-rates,link-requests,links,sessions,web-chat,whitelist}",
    ],
  },
  "three servers and sidecars": {
    of: { servers: 3, sidecars: 3 },
    files: [
      "e2e/{answers,asking,chat,delivery.long,link-races,links,restarts.long,volume.long,web-chat,whitelist}",
      "http/{feed,links,whitelist}",
    ],
  },
};

/**
 * `npm test` runs `tests`, `npm run test:long` all others: what takes long and hardly ever breaks.
 * @type {import("jest").Config}
 */
export default {
  projects: [
    {
      ...EACH,
      displayName: "tests",
      testMatch: ["**/*.test.ts"],
      testPathIgnorePatterns: ["\\.long\\.test\\.ts$"],
      testEnvironmentOptions: { length: "short" },
    },
    { ...EACH, displayName: "long", testMatch: ["**/*.long.test.ts"] },
    {
      ...EACH,
      displayName: "at length",
      testMatch: PARTLY_LONG,
      testEnvironmentOptions: { length: "long" },
    },
    ...Object.entries(SEVERAL).map(([displayName, { of, files }]) => ({
      ...EACH,
      displayName,
      testMatch: files.map(each => `<rootDir>/test/${each}.test.ts`),
      testEnvironmentOptions: of,
    })),
  ],
  testSequencer: "<rootDir>/test/helpers/longest-first.mjs",
  // Tests wait for the network and for browsers more than they compute: no core is left idle.
  maxWorkers: availableParallelism() + 2,
  // Modules of a file that is through stay in memory. And with a limit even a single file has a process of its own, which ends
  // though a test that failed has left a server open.
  workerIdleMemoryLimit: "1GB",
  // A deadline for what hangs, on a busy machine too; the second one for a worker that is through and has to end.
  testTimeout: 300_000,
  workerGracefulExitTimeout: 5_000,
};

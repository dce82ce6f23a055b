/**
 * Tests that several sidecars cannot pass, by file, each with the reason: all others of the files in `jest.config.mjs` run with
 * three of them unchanged.
 * @type {Record<string, Record<string, string>>}
 */
export const OF_ONE_PROCESS = {
  "http/feed.test.ts": {
    "passes over who came and went where a pack tells it again to another process": "it hands in a log",
  },
};

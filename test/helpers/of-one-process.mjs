/**
 * Tests that several sidecars cannot pass, by file, each with the reason: all others of the files in `jest.config.mjs` run with
 * three of them unchanged.
 * @type {Record<string, Record<string, string>>}
 */
export const OF_ONE_PROCESS = {
  "http/asking.test.ts": {
    "is named in the log, with the rule that held it back": "each sidecar counts what it has refused itself",
  },
  "http/chat.test.ts": {
    "share a rate of chat": "a socket of one sidecar hears a line a moment after it was answered by another",
    "over the number of clients is refused with 503": "the number is one of each process",
    "over the number of one address is refused with 503": "the number is one of each process",
  },
  "http/events.test.ts": {
    "is refused past the limits of all and of an address": "the numbers are those of each process",
  },
  "http/session.test.ts": {
    "cannot be told of while the storage is away": "it hands in a store",
  },
  "http/links.test.ts": {
    "is answered 500 as described, with a reason in the log only": "it hands in a store",
  },
};

const OTHER_SOCKET = "a socket of one sidecar hears a line a moment after another one has answered it";

/**
 * Tests that several sidecars cannot pass, by file, each with the reason: all others of the files in `jest.config.mjs` run with
 * three of them unchanged.
 * @type {Record<string, Record<string, string>>}
 */
export const OF_ONE_PROCESS = {
  "http/chat-rates.test.ts": {
    "let a socket say 20 lines at once and 2 a second": OTHER_SOCKET,
    "let an address say 120 lines at once and 2 a second, all of its IPv6 network together": OTHER_SOCKET,
    "let all of the web together say 60 lines at once and 10 a second": OTHER_SOCKET,
  },
  "http/feed.test.ts": {
    "passes over who came and went where a pack tells it again to another process": "it hands in a log",
  },
  "http/link-rates.test.ts": {
    "are named in the log when they are too many": "each sidecar counts what it has refused itself",
  },
  "http/web-chat.test.ts": {
    "[WEB-3] mutes a browser for an hour, and no other one": OTHER_SOCKET,
  },
  "http/asking.test.ts": {
    "is named in the log, with the rule that held it back": "each sidecar counts what it has refused itself",
  },
  "http/chat.test.ts": {
    "share a rate of chat": OTHER_SOCKET,
    "over the number of clients is refused with 503": "the number is one of each process",
    "over the number of one address is refused with 503": "the number is one of each process",
  },
  "http/events.test.ts": {
    "is refused past the limits of all and of an address": "the numbers are those of each process",
  },
  "http/session.test.ts": {
    "cannot be told of while the storage is away": "it hands in a store",
  },
  "http/renewed-cookie.test.ts": {
    "answers without it while the storage is away, or reads nothing for another reason":
      "it hands in a store",
  },
  "http/links.test.ts": {
    "is answered 500 as described, with a reason in the log only": "it hands in a store",
  },
};

/**
 * Tests that cannot be about the second of three game servers, by file and name, each with its reason: all others of those files
 * run as they are.
 * @type {Record<string, Record<string, string>>}
 */
export const NOT_OF_THE_SECOND = {
  "http/links.test.ts": {
    "the link of a session is accepted with the player's data while the player is online, until it is ended":
      "whoever is online nowhere is told of it on the first",
  },
};

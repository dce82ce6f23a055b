const KEPT = "so many events are kept of all together";
const AHEAD = "the balancer between hands requests on one by one";

/**
 * Tests that cannot be about the second of three game servers, by file and name, each with its reason: all others of those files
 * run as they are.
 * @type {Record<string, Record<string, string>>}
 */
export const NOT_OF_THE_SECOND = {
  "http/events-json.test.ts": {
    "what was kept, as JSON has every page of what is kept, though lines of the web among it are gone": KEPT,
  },
  "http/feed.test.ts": {
    "the feed and the game tells of a gap where an event after the id is gone, and of none where nothing is":
      KEPT,
  },
  "http/late-rates.test.ts": {
    "requests that are sent ahead are not dealt with behind one that is refused": AHEAD,
    "requests that are sent ahead are dealt with in their order, though the answer for the last one comes first":
      AHEAD,
    "a stream that waits behind another request is refused, and the answers come in order": AHEAD,
    "a stream that waits has nothing behind it dealt with": AHEAD,
  },
  "http/links.test.ts": {
    "the link of a session is accepted with the player's data while the player is online, until it is ended":
      "whoever is online nowhere is told of it on the first",
  },
};

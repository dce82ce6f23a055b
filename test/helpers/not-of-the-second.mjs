/**
 * Tests that cannot be about the second of three game servers, by file and name, each with its reason: all others of those files
 * run as they are.
 * @type {Record<string, Record<string, string>>}
 */
export const NOT_OF_THE_SECOND = {};

import { describe, expect, it } from "@jest/globals";
import { isFromAllowedPage } from "./moderators.ts";

describe("the cookie of a moderator counts", () => {
  it.each([
    ["a change from a page of the service", "POST", "own", undefined, true],
    ["a change from a page of a listed origin", "DELETE", "listed", "same-site", true],
    ["a change from a page of a neighbouring host", "POST", "refused", "same-site", false],
    ["a change without an origin", "POST", "none", undefined, false],
    ["a change that the address bar cannot send", "POST", "none", "none", false],
    ["a change without an origin from the same one", "POST", "none", "same-origin", true],
    ["a read of the page itself, over plain HTTP", "GET", "none", undefined, true],
    ["a read of the page itself, over HTTPS", "GET", "none", "same-origin", true],
    ["a read from the address bar", "GET", "none", "none", true],
    ["a read by a script element of a neighbouring host", "GET", "none", "same-site", false],
    ["a read by an image of another site", "HEAD", "none", "cross-site", false],
  ] as const)("%s: %s, origin %s, fetch site %s: %s", (_, method, origin, site, expected) => {
    expect(isFromAllowedPage(method, origin, site)).toBe(expected);
  });
});

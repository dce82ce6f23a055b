import { expect, it } from "@jest/globals";
import { perMinute } from "../../platform/rate.ts";
import { rateLimitHeaders } from "./rate-limit.ts";

const rate = { name: "requests", ...perMinute(120) };

it.each([
  ["a full bucket", 120, undefined, "r=120;t=0"],
  ["a part of a token, which is none", 0.9, undefined, "r=0;t=60"],
  ["tokens that are all back in a part of a second", 119.9, undefined, "r=119;t=1"],
  ["a wait that the rate does not decide", 0, 300, "r=0;t=300"],
])("the headers of a limit say what is left of %s", (_, left, seconds, expected) => {
  expect(rateLimitHeaders(rate, left, seconds)).toEqual({
    RateLimit: `"requests";${expected}`,
    "RateLimit-Policy": '"requests";q=120;w=60',
  });
});

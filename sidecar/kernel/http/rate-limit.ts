import type { NamedRate } from "../../platform/rate.ts";

/**
 * The headers that say how many tokens of a rate are left, as structured fields by draft-ietf-httpapi-ratelimit-headers: `q` tokens
 * in `w` seconds, `r` of them left, and all of them again in `t` seconds.
 */
export function rateLimitHeaders(
  { name, burst, perSecond }: NamedRate,
  left: number,
): { RateLimit: string; "RateLimit-Policy": string } {
  return {
    RateLimit: `"${name}";r=${Math.floor(left)};t=${Math.ceil((burst - left) / perSecond)}`,
    "RateLimit-Policy": `"${name}";q=${burst};w=${Math.round(burst / perSecond)}`,
  };
}

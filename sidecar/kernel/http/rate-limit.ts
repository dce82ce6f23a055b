import type { NamedRate } from "../../platform/rate.ts";

/**
 * The headers with the remaining tokens of a rate, as structured fields by draft-ietf-httpapi-ratelimit-headers: `q` tokens
 * in `w` seconds, `r` of them left, and all of them again in `t` seconds. `seconds`: for `t`, where it is not the rate that decides.
 */
export function rateLimitHeaders(
  { name, burst, perSecond }: NamedRate,
  left: number,
  seconds = Math.ceil((burst - left) / perSecond),
): { RateLimit: string; "RateLimit-Policy": string } {
  return {
    RateLimit: `"${name}";r=${Math.floor(left)};t=${seconds}`,
    "RateLimit-Policy": `"${name}";q=${burst};w=${Math.round(burst / perSecond)}`,
  };
}

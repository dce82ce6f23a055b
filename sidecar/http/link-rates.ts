import type { LinkRates } from "../app/links.ts";
import type { Config } from "../config/settings.ts";
import type { Clock } from "../ports.ts";
import { createRateLimiter } from "./rate-limit.ts";

/** How long a player who could not be asked counts as one who is not online, in milliseconds. */
const UNREACHED_MS = 10_000;

/**
 * The rate of link requests that all of the web shares, one for players online and one for all other names: where nobody
 * can get a form, a flood keeps nobody from one.
 */
export function createLinkRates(
  clock: Pick<Clock, "monotonic">,
  { linkRequestsPerSecond, linkRequestsBurst }: Config["modules"]["api"]["limits"],
): LinkRates {
  const rates = createRateLimiter({ perSecond: linkRequestsPerSecond, burst: linkRequestsBurst });
  /** until when, by name */
  const unreached = new Map<string, number>();

  return {
    take(username, online) {
      const now = clock.monotonic();
      const mayOpen = online && now >= (unreached.get(username) ?? 0);
      return rates.take(mayOpen ? "online" : "others", now) ? 0 : 1000 / linkRequestsPerSecond;
    },
    unreached(username) {
      const now = clock.monotonic();
      for (const [name, until] of unreached) if (until <= now) unreached.delete(name);
      unreached.set(username, now + UNREACHED_MS);
    },
  };
}

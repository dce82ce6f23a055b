import type { Rates } from "../ports.ts";
import type { LinkRates } from "./link-requests.ts";

/** How long a player who could not be asked counts as one who is not online, in milliseconds. */
const UNREACHED_MS = 10_000;

/**
 * The rate of link requests that all of the web shares, one for players online and one for all other names: where nobody
 * can get a form, a flood keeps nobody from one.
 */
export function createLinkRates(
  rates: Rates,
  { linkRequestsPerSecond, linkRequestsBurst }: { linkRequestsPerSecond: number; linkRequestsBurst: number },
): LinkRates {
  const rate = { name: "link-everybody", perSecond: linkRequestsPerSecond, burst: linkRequestsBurst };
  const unreached = (username: string): string => `unreached:${username}`;
  const waitMs = (over: number): number => (over < 0 ? 0 : 1000 / linkRequestsPerSecond);

  function take(mayOpen: boolean): number | Promise<number> {
    const over = rates.take({ key: mayOpen ? "online" : "others", rate });
    return typeof over === "number" ? waitMs(over) : over.then(waitMs);
  }

  return {
    take(username, online) {
      const isUnreached = online ? rates.remembers(unreached(username)) : true;
      return typeof isUnreached === "boolean" ? take(!isUnreached) : isUnreached.then(is => take(!is));
    },
    unreached: username => rates.remember(unreached(username), UNREACHED_MS),
  };
}

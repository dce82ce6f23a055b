import type { Rates } from "../../kernel/storage/ports.ts";
import type { LinkRates } from "./link-requests.ts";

/** How long a player who could not be asked counts as one who is not online, in milliseconds. */
const UNREACHED_MS = 10_000;

/**
 * The rate of link requests that all of the web shares, one for players online, of each game server, and one for all other names:
 * where nobody can get a form, a flood keeps nobody from one.
 */
export function createLinkRates(
  rates: Rates,
  { linkRequestsPerSecond, linkRequestsBurst }: { linkRequestsPerSecond: number; linkRequestsBurst: number },
): LinkRates {
  const rate = { name: "link-everybody", perSecond: linkRequestsPerSecond, burst: linkRequestsBurst };
  const unreached = (username: string, on: string): string =>
    on === "" ? `unreached:${username}` : `unreached@${on}:${username}`;
  const waitMs = (over: number): number => (over < 0 ? 0 : 1000 / linkRequestsPerSecond);

  /** `on`: where a form may open. */
  function take(on: string | undefined): number | Promise<number> {
    const key = on === undefined ? "others" : on === "" ? "online" : `online@${on}`;
    const over = rates.take({ key, rate });
    return typeof over === "number" ? waitMs(over) : over.then(waitMs);
  }

  return {
    take(username, on) {
      if (on === undefined) return take(undefined);
      const isUnreached = rates.remembers(unreached(username, on));
      if (typeof isUnreached === "boolean") return take(isUnreached ? undefined : on);
      return isUnreached.then(is => take(is ? undefined : on));
    },
    unreached: (username, on) => rates.remember(unreached(username, on), UNREACHED_MS),
  };
}

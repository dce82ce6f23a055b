import { ACTION_TIMEOUT_MS } from "../../kernel/bridge/actions.ts";
import type { Lease, Rates } from "../../kernel/storage/ports.ts";
import type { PlayerRequestStore } from "./records.ts";
import * as requests from "./rules/player-requests.ts";

/** Limits the link requests that a player gets. A player is identified by exact name. */
export interface LinkRequestLimiter {
  /** Whether a request may be sent to the player now. An admitted one ends with `cancel`, or reaches the player: `opened`. */
  admit(player: string, incoming: requests.NewRequest): Promise<requests.RequestLimit | "admitted">;
  /** Why the request `own`, which was sent to the game, may not reach the player after all, if so. */
  reachedLimit(player: string, own: string, lease?: Lease): Promise<requests.RequestLimit | undefined>;
  /** The request has reached the player, who may answer for `openForMs` milliseconds. */
  opened(player: string, request: string, openForMs: number, lease: Lease): Promise<void>;
  /** Blocks requests that show the player these characters; for how long, in milliseconds. `firstMs`: the first time. */
  conflict(player: string, browser: string, firstMs: number): Promise<number>;
  cancel(player: string, request: string): Promise<void>;
  answered(player: string, request: string, accepted: boolean, lease?: Lease): Promise<void>;
  /** Ends a request and counts it as declined, even if it was only sent: the form may have opened already. */
  ended(player: string, request: string): Promise<void>;
}

export function createLinkRequestLimiter(
  players: PlayerRequestStore,
  rules: requests.RequestRules,
): LinkRequestLimiter {
  const update = (
    player: string,
    step: (before: requests.PlayerRequests, now: number) => requests.PlayerRequests,
    lease?: Lease,
  ): Promise<void> =>
    players.change(player, (before, now) => ({ record: step(before, now), answer: undefined }), lease);

  return {
    admit: (player, incoming) =>
      players.change(player, (before, now) => requests.admit(before, incoming, now, rules)),
    reachedLimit: (player, own, lease) =>
      players.change(
        player,
        (before, now) => {
          const record = requests.expire(before, now, rules);
          return { record, answer: requests.reachedLimit(record, now, rules, { own }) };
        },
        lease,
      ),
    opened: (player, request, openForMs, lease) =>
      update(player, (before, now) => requests.opened(before, request, openForMs, now), lease),
    conflict: (player, browser, firstMs) =>
      players.change(player, (before, now) => requests.conflict(before, browser, now, firstMs, rules)),
    cancel: (player, request) => update(player, before => requests.cancel(before, request)),
    answered: (player, request, accepted, lease) =>
      update(player, (before, now) => requests.answered(before, request, accepted, now, rules), lease),
    ended: (player, request) =>
      update(player, (before, now) => {
        const opened = requests.opened(before, request, ACTION_TIMEOUT_MS, now);
        return requests.answered(opened, request, false, now, rules);
      }),
  };
}

/** Limits all link requests together. */
export interface LinkRates {
  /**
   * Counts a request that is to go to the game; returns how long it has to wait instead, in milliseconds, or 0. `on`: the game
   * server that lists the player, "" for the first one, undefined for none. Never rejects.
   */
  take(username: string, on: string | undefined): number | Promise<number>;
  /** A player on this game server blocks requests, or has too many. */
  unreached(username: string, on: string): void;
}

/** How long a player who got no request counts as offline, in milliseconds. */
const UNREACHED_MS = 10_000;

/**
 * The rate limits that all link requests share: one for the players online on each game server, and one for all other names, so that
 * a flood of requests for players who are offline holds up no other request.
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

import {
  forgetAt,
  NO_REQUESTS,
  type PlayerRequests,
} from "../../../features/linking/rules/player-requests.ts";
import type { Clock, PlayerRequestStore } from "../ports.ts";

/** Players remembered; past it the one goes of whom all would be forgotten first. */
const MAX_PLAYERS = 2_000;

/** Remembers what was asked of players as long as the process lasts. */
export function createPlayerRequests(clock: Pick<Clock, "monotonic">): PlayerRequestStore {
  const players = new Map<string, { requests: PlayerRequests; until: number }>();

  /** Makes room for one more. */
  function tidy(now: number): void {
    let first: { player: string; until: number } | undefined;
    for (const [player, { until }] of players)
      if (until <= now) players.delete(player);
      else if (first === undefined || until < first.until) first = { player, until };
    if (first !== undefined && players.size >= MAX_PLAYERS) players.delete(first.player);
  }

  return {
    async change(player, decide) {
      const now = clock.monotonic();
      const { record, answer } = decide(players.get(player)?.requests ?? NO_REQUESTS, now);
      const until = forgetAt(record);
      if (until === 0) players.delete(player);
      else {
        if (!players.has(player)) tidy(now);
        players.set(player, { requests: record, until });
      }
      return answer;
    },
  };
}

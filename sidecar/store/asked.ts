import { type Asked, forgetAt, NEVER_ASKED } from "../domain/asked.ts";
import type { AskedPlayers, Clock } from "../ports.ts";

/** Players remembered; past it the one goes of whom all would be forgotten first. */
const MAX_PLAYERS = 2_000;

/** Remembers what was asked of players as long as the process lasts. */
export function createAskedPlayers(clock: Pick<Clock, "monotonic">): AskedPlayers {
  const players = new Map<string, { asked: Asked; until: number }>();

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
      const { record, answer } = decide(players.get(player)?.asked ?? NEVER_ASKED, now);
      const until = forgetAt(record);
      if (until === 0) players.delete(player);
      else {
        if (!players.has(player)) tidy(now);
        players.set(player, { asked: record, until });
      }
      return answer;
    },
  };
}

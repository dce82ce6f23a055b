import { useCallback, useMemo, useState } from "preact/hooks";
import type { KnownPlayer, KnownPlayers } from "../../client/index.ts";
import { useLatest, usePolling } from "../platform/hooks.ts";
import { SORTS, type Sort } from "../platform/route.ts";
import { ANSWER_MS, client } from "../service/service.ts";
import { type Place, placeAmong } from "./places.ts";
import { figuresOf } from "./player-figures.tsx";

const POLL_MS = 300_000;
/** How many of the first of each ranking are looked at. */
const LIMIT = 200;

export type Places = Partial<Record<Sort, Place>>;

/** The places of a player in the rankings, where they are among the first. `key`: one that was entered. */
export function usePlaces(
  player: KnownPlayer | undefined,
  key: string | undefined,
  isWanted: boolean,
): Places {
  const [rankings, setRankings] = useState<Partial<Record<Sort, KnownPlayers>>>({});
  const latest = useLatest(key);
  const poll = useCallback(async () => {
    await Promise.all(
      SORTS.leaderboard.map(async sort => {
        const query = { sort, limit: LIMIT, ...(key !== undefined && { key }) };
        const answer = await client.knownPlayers(query, { timeoutMs: ANSWER_MS });
        if (answer.ok && latest.current === key) setRankings(before => ({ ...before, [sort]: answer.value }));
      }),
    );
  }, [key, latest]);
  usePolling(POLL_MS, poll, isWanted);
  return useMemo(() => {
    if (player === undefined) return {};
    const figureOf = (one: KnownPlayer, sort: Sort): number =>
      figuresOf(one).find(figure => figure.sort === sort)?.value ?? 0;
    return Object.fromEntries(
      SORTS.leaderboard.flatMap(sort => {
        const ranking = rankings[sort];
        const first = ranking?.players.map(one => figureOf(one, sort)) ?? [];
        const place = ranking && placeAmong(figureOf(player, sort), first, ranking);
        return place ? [[sort, place]] : [];
      }),
    );
  }, [player, rankings]);
}

import { useCallback, useState } from "preact/hooks";
import type { KnownPlayer } from "../../client/index.ts";
import { usePolling } from "../platform/hooks.ts";
import { ANSWER_MS, client } from "../service/service.ts";

const POLL_MS = 300_000;
const WEEK_MS = 7 * 86_400_000;
/** How many of the players seen last are looked at. */
const LIMIT = 200;

export interface NewPlayers {
  /** the newest first */
  players: readonly KnownPlayer[];
  /** whether there may be others */
  isPart: boolean;
}

/** Players who were first seen within the last week, while `isWanted`. `key`: one that was entered. */
export function useNewPlayers(key: string | undefined, isWanted: boolean): NewPlayers | undefined {
  const [found, setFound] = useState<NewPlayers | undefined>(undefined);
  const poll = useCallback(async () => {
    const answer = await client.knownPlayers(
      { sort: "last-seen", limit: LIMIT, ...(key !== undefined && { key }) },
      { timeoutMs: ANSWER_MS },
    );
    if (!answer.ok) return;
    const since = Date.now() - WEEK_MS;
    const { players, next } = answer.value;
    setFound({
      players: players.filter(({ firstSeen }) => firstSeen > since).sort((a, b) => b.firstSeen - a.firstSeen),
      isPart: next !== null && (players.at(-1)?.lastSeen ?? 0) > since,
    });
  }, [key]);
  usePolling(POLL_MS, poll, isWanted);
  return found;
}

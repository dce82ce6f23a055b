import { useCallback, useMemo, useState } from "preact/hooks";
import type { Failure, KnownPlayerData, Result } from "../../client/index.ts";
import { useLatest, usePolling } from "../platform/hooks.ts";
import { ANSWER_MS, client } from "../service/service.ts";

const POLL_MS = 10_000;

export interface PlayerDetails {
  /** undefined: not loaded, not known, or it failed */
  player: KnownPlayerData | undefined;
  fault: Failure | undefined;
}

/** Reads one known player while `isWanted`, until the service no longer knows them. */
export function usePlayerDetails(uuid: string, key: string | undefined, isWanted: boolean): PlayerDetails {
  const query = JSON.stringify([uuid, key]);
  const [loaded, setLoaded] = useState<{ query: string; answer: Result<KnownPlayerData> } | undefined>(
    undefined,
  );
  const latest = useLatest(query);
  const poll = useCallback(async () => {
    const answer = await client.knownPlayer(uuid, {
      timeoutMs: ANSWER_MS,
      ...(key !== undefined && { key }),
    });
    if (latest.current !== query) return;
    // A loaded player stays through an outage.
    setLoaded(before =>
      !answer.ok && answer.code !== "unknown_player" && before?.query === query && before.answer.ok
        ? before
        : { query, answer },
    );
  }, [query, latest]);
  const answer = loaded?.query === query ? loaded.answer : undefined;
  const isGone = answer?.ok === false && answer.code === "unknown_player";
  usePolling(POLL_MS, poll, isWanted && !isGone);
  return useMemo(
    () => ({
      player: answer?.ok ? answer.value : undefined,
      fault: answer?.ok === false ? answer : undefined,
    }),
    [answer],
  );
}

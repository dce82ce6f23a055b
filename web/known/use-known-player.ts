import { useCallback, useMemo, useState } from "preact/hooks";
import type { Failure, KnownPlayerData, Result } from "../../client/index.ts";
import { useLatest, usePolling } from "../platform/hooks.ts";
import { ANSWER_MS, client } from "../service/service.ts";

/** How often a player is asked about, in milliseconds. */
const ASK_EVERY_MS = 10_000;

export interface KnownOne {
  /** undefined: not known yet, not known any more, or not to be had */
  player: KnownPlayerData | undefined;
  fault: Failure | undefined;
}

/** Reads of a player who has been here, as long as that is wanted and there is one. */
export function useKnownPlayer(uuid: string, key: string | undefined, isWanted: boolean): KnownOne {
  const of = JSON.stringify([uuid, key]);
  const [held, setHeld] = useState<{ of: string; answer: Result<KnownPlayerData> } | undefined>(undefined);
  const latest = useLatest(of);
  const ask = useCallback(async () => {
    const answer = await client.knownPlayer(uuid, {
      timeoutMs: ANSWER_MS,
      ...(key !== undefined && { key }),
    });
    if (latest.current !== of) return;
    // What was told is not forgotten because nobody answers for a while.
    setHeld(before =>
      !answer.ok && answer.code !== "unknown_player" && before?.of === of && before.answer.ok
        ? before
        : { of, answer },
    );
  }, [of, latest]);
  const answer = held?.of === of ? held.answer : undefined;
  const isGone = answer?.ok === false && answer.code === "unknown_player";
  usePolling(ASK_EVERY_MS, ask, isWanted && !isGone);
  return useMemo(
    () => ({
      player: answer?.ok ? answer.value : undefined,
      fault: answer?.ok === false ? answer : undefined,
    }),
    [answer],
  );
}

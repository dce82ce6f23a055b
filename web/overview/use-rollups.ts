import { useCallback, useState } from "preact/hooks";
import type { HistoryMeans, HistorySpan } from "../../client/index.ts";
import { useLatest, usePolling } from "../platform/hooks.ts";
import { ANSWER_MS, clientOf } from "../service/service.ts";

/** The history roll-ups of a span, read every `pollMs`; undefined for the last hour, and until they have loaded. */
export function useRollups(
  span: HistorySpan,
  otherServer: string | undefined,
  pollMs: number,
): HistoryMeans | undefined {
  const [loaded, setLoaded] = useState<{ by: () => Promise<void>; rollups: HistoryMeans } | undefined>();
  const poll = useCallback(async () => {
    if (span === "1h") return;
    const answer = await clientOf(otherServer).history({ for: span, timeoutMs: ANSWER_MS });
    // Loaded ones stay through an outage.
    if (answer.ok && latest.current === poll) setLoaded({ by: poll, rollups: answer.value });
  }, [span, otherServer]);
  const latest = useLatest(poll);
  usePolling(pollMs, poll, span !== "1h");
  return loaded?.by === poll ? loaded.rollups : undefined;
}

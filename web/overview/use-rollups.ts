import { useCallback, useState } from "preact/hooks";
import type { HistoryMeans, HistorySpan } from "../../client/index.ts";
import { useLatest, usePolling } from "../platform/hooks.ts";
import { ANSWER_MS, clientOf } from "../service/service.ts";

/** The shortest roll-ups are five minutes long. */
const POLL_MS = 30_000;

/** The history roll-ups of a span; undefined for the last hour, and until they have loaded. */
export function useRollups(span: HistorySpan, otherServer: string | undefined): HistoryMeans | undefined {
  const [loaded, setLoaded] = useState<{ by: () => Promise<void>; rollups: HistoryMeans } | undefined>();
  const poll = useCallback(async () => {
    if (span === "1h") return;
    const answer = await clientOf(otherServer).history({ for: span, timeoutMs: ANSWER_MS });
    // Loaded ones stay through an outage.
    if (answer.ok && latest.current === poll) setLoaded({ by: poll, rollups: answer.value });
  }, [span, otherServer]);
  const latest = useLatest(poll);
  usePolling(POLL_MS, poll, span !== "1h");
  return loaded?.by === poll ? loaded.rollups : undefined;
}

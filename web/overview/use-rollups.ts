import { useCallback, useState } from "preact/hooks";
import type { HistoryMeans, HistorySpan } from "../../client/index.ts";
import { useLatest, usePolling } from "../platform/hooks.ts";
import { ANSWER_MS, clientOf } from "../service/service.ts";

/** How often the means are asked for, in milliseconds: the shortest of them are of five minutes. */
const EVERY_MS = 30_000;

/** The means of a span; nothing for the last hour, and until they are known. `of`: a game server beside the first one. */
export function useMeans(span: HistorySpan, of: string | undefined): HistoryMeans | undefined {
  const [told, setTold] = useState<{ by: () => Promise<void>; means: HistoryMeans } | undefined>(undefined);
  const ask = useCallback(async () => {
    if (span === "1h") return;
    const answer = await clientOf(of).history({ for: span, timeoutMs: ANSWER_MS });
    // Those of before are shown for as long as nobody answers.
    if (answer.ok && latest.current === ask) setTold({ by: ask, means: answer.value });
  }, [span, of]);
  const latest = useLatest(ask);
  usePolling(EVERY_MS, ask, span !== "1h");
  return told?.by === ask ? told.means : undefined;
}

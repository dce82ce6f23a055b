import { useCallback, useEffect, useState } from "preact/hooks";
import type { ConsoleData, WebChatMode } from "./console-data.ts";

/** While not everybody may write, nothing tells the page that they may again. */
const ASK_EVERY_MS = 15_000;

/** Follows who may write from the web: asks when it is told to, and as long as not everybody may. */
export function useWebChatMode(first: WebChatMode): [mode: WebChatMode, ask: () => Promise<void>] {
  const [mode, setMode] = useState(first);
  const ask = useCallback(async () => {
    try {
      const answer = await fetch("/console.json");
      const data: ConsoleData | undefined = answer.ok ? await answer.json() : undefined;
      if (data) setMode(data.webChat);
    } catch {
      // The service is away: asked again as soon as there is a reason to.
    }
  }, []);
  useEffect(() => {
    if (mode === "everybody") return;
    const timer = setInterval(ask, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [mode, ask]);
  return [mode, ask];
}

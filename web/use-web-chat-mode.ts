import { useCallback, useEffect, useState } from "preact/hooks";
import type { ConsoleData, WebChatMode } from "./console-data.ts";

/** Nothing tells the page of a change before somebody writes in vain. A hidden one does not ask. */
const ASK_EVERY_MS = 15_000;

/** Follows who may write from the web: asks now and then, and when it is told to. */
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
    const timer = setInterval(() => void (document.hidden || ask()), ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [ask]);
  return [mode, ask];
}

import { useCallback, useEffect, useState } from "preact/hooks";
import type { WebChatMode } from "../client/types.ts";
import { client } from "./service.ts";

/** Nothing tells the page of a change before somebody writes in vain. A hidden one does not ask. */
const ASK_EVERY_MS = 15_000;

/** Follows who may write from the web: asks now and then, and when it is told to. */
export function useWebChatMode(first: WebChatMode): [mode: WebChatMode, ask: () => Promise<void>] {
  const [mode, setMode] = useState(first);
  const ask = useCallback(async () => {
    const answer = await client.settings();
    // Where the service is away it is asked again as soon as there is a reason to.
    if (answer.ok) setMode(answer.value.webChat);
  }, []);
  useEffect(() => {
    const timer = setInterval(() => void (document.hidden || ask()), ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [ask]);
  return [mode, ask];
}

import { useCallback, useEffect, useState } from "preact/hooks";
import type { WebChatMode } from "../client/types.ts";
import { client } from "./service.ts";

/** Nothing tells the page of a change before somebody writes in vain. A hidden one does not ask. */
const ASK_EVERY_MS = 15_000;

interface Writing {
  mode: WebChatMode;
  /** whether this browser is known to be linked; only asked where that is what matters */
  isLinked: boolean;
  ask(): Promise<void>;
}

/** Follows who may write from the web: asks now and then, and when it is told to. */
export function useWebChatMode(first: WebChatMode): Writing {
  const [mode, setMode] = useState(first);
  const [isLinked, setIsLinked] = useState(false);
  const ask = useCallback(async () => {
    const answer = await client.settings();
    // Where the service is away it is asked again as soon as there is a reason to.
    if (!answer.ok) return;
    setMode(answer.value.webChat);
    if (answer.value.webChat !== "linked") return;
    const session = await client.session();
    if (session.ok || session.code === "missing_session")
      setIsLinked(session.ok && session.value.status === "accepted");
  }, []);
  useEffect(() => {
    if (first === "linked") void ask();
    const timer = setInterval(() => void (document.hidden || ask()), ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [ask, first]);
  return { mode, isLinked, ask };
}

import { useCallback, useEffect, useState } from "preact/hooks";
import type { WebChatMode } from "../../client/types.ts";
import { client } from "../service/service.ts";
import type { Session } from "../service/session.ts";

/** Nothing tells the page of a change before somebody writes in vain. A hidden one does not ask. */
const ASK_EVERY_MS = 15_000;

interface Writing {
  mode: WebChatMode;
  /** whether this browser is linked, as soon as that is known; only asked where that is what matters */
  isLinked: boolean | undefined;
  ask(): Promise<void>;
}

/** Follows who may write from the web: asks now and then, and when it is told to. `first`: how that was as the page began. */
export function useWebChatMode(first: WebChatMode, { begun }: Session): Writing {
  const [mode, setMode] = useState(first);
  const [isLinked, setIsLinked] = useState<boolean | undefined>(undefined);
  const askLinked = useCallback(async () => {
    const session = await client.session();
    if (session.ok || session.code === "missing_session")
      setIsLinked(session.ok && session.value.status === "accepted");
  }, []);
  const ask = useCallback(async () => {
    const answer = await client.settings();
    // Where the service is away it is asked again as soon as there is a reason to.
    if (!answer.ok) return;
    setMode(answer.value.webChat);
    if (answer.value.webChat === "linked") await askLinked();
  }, [askLinked]);
  useEffect(() => {
    if (first === "linked") void begun.then(askLinked);
    const timer = setInterval(() => void (document.hidden || ask()), ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [ask, askLinked, begun, first]);
  return { mode, isLinked, ask };
}

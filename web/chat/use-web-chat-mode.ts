import { useCallback, useEffect, useState } from "preact/hooks";
import type { WebChatMode } from "../../client/types.ts";
import { client } from "../service/service.ts";
import type { Session } from "../service/session.ts";

/** No event reports a change of the mode. A hidden page does not poll. */
const POLL_MS = 15_000;

export interface WebChatModeState {
  mode: WebChatMode;
  /** whether this browser is linked; only read in mode `linked` */
  isLinked: boolean | undefined;
  poll(): Promise<void>;
}

/** Follows who may write from the website. `first`: the mode in the settings that the page began with. */
export function useWebChatMode(first: WebChatMode, { begun }: Session): WebChatModeState {
  const [mode, setMode] = useState(first);
  const [isLinked, setIsLinked] = useState<boolean | undefined>(undefined);
  const readLink = useCallback(async () => {
    const session = await client.session();
    if (session.ok || session.code === "missing_session")
      setIsLinked(session.ok && session.value.status === "accepted");
  }, []);
  const poll = useCallback(async () => {
    const answer = await client.settings();
    if (!answer.ok) return;
    setMode(answer.value.webChat);
    if (answer.value.webChat === "linked") await readLink();
  }, [readLink]);
  useEffect(() => {
    if (first === "linked") void begun.then(readLink);
    const timer = setInterval(() => void (document.hidden || poll()), POLL_MS);
    return () => clearInterval(timer);
  }, [poll, readLink, begun, first]);
  return { mode, isLinked, poll };
}
